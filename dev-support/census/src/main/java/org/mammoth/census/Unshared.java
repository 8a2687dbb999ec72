// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;

/**
 * Jars that engines do not share, though classes they share name theirs: a shared class cannot see
 * what each task loads for itself. A task that comes to such a place needs a process, and an engine
 * that comes to it ends, so each such jar is to be shared or known.
 */
final class Unshared {

  private static final int CLASS = 7;

  private Unshared() {}

  /**
   * A line for each jar that is neither shared nor known.
   *
   * @param shared the classes of the shared jars
   * @param others those of the jars that are not
   * @param known lines of jars' names without version; {@code #} begins a comment, such as why they
   *     need not be shared
   */
  static List<String> faults(ClassFiles shared, ClassFiles others, List<String> known) {
    Set<String> names = new HashSet<>();
    for (String line : known) {
      names.addAll(List.of(line.replaceFirst("#.*", "").trim().split("\\s+")));
    }
    Map<String, Set<String>> namedBy = new TreeMap<>();
    for (String user : shared.names()) {
      for (String type : named(shared.code(user))) {
        if (shared.code(type) == null && others.code(type) != null) {
          namedBy
              .computeIfAbsent(Item.jarName(others.jar(type)), jar -> new TreeSet<>())
              .add(user.replace('/', '.') + " names " + type.replace('/', '.'));
        }
      }
    }
    List<String> faults = new ArrayList<>();
    namedBy.forEach(
        (jar, uses) -> {
          if (!names.contains(jar)) {
            faults.add(
                "%s is not shared, but %s, and %d more: add it to shared-jars.txt, or to unshared-jars.txt"
                    .formatted(jar, uses.iterator().next(), uses.size() - 1));
          }
        });
    return faults;
  }

  private static Set<String> named(byte[] code) {
    Set<String> found = new HashSet<>();
    ClassReader reader = new ClassReader(code);
    char[] buffer = new char[reader.getMaxStringLength()];
    for (int i = 1; i < reader.getItemCount(); i++) {
      int offset = reader.getItem(i);
      if (offset > 0 && reader.readByte(offset - 1) == CLASS) {
        found.add(reader.readUTF8(offset, buffer));
      }
    }
    return found;
  }
}
