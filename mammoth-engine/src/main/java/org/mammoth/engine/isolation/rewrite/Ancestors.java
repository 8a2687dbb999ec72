// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Finds the class whose method code calls by the name of a subclass: {@code
 * SimpleTimeZone.setDefault} is {@code TimeZone}'s. Reads files and loads no class. Thread-safe.
 */
final class Ancestors {
  private static final Known UNKNOWN = new Known(List.of(), Set.of());

  private final CallTable table;
  private final Function<String, InputStream> files;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  /**
   * Those of classes whose files a function finds, of methods in a table.
   *
   * @param files given a name such as {@code java/io/File.class}; null where there is none
   */
  Ancestors(CallTable table, Function<String, InputStream> files) {
    this.table = table;
    this.files = files;
  }

  /** A class's parent and interfaces, and which of the methods it declares may be in the table. */
  private record Known(List<String> parents, Set<String> declared) {}

  /**
   * The class by which a table knows what is called.
   *
   * @param self the class that is rewritten
   * @param owner by whose name it is called
   * @return {@code owner} itself where no class above it has the method in the table, or one below
   *     that has a method of its own
   */
  String declaring(ClassReader self, String owner, String name, String descriptor) {
    if (!table.mayInherit(name, descriptor) || owner.startsWith("[")) {
      return owner;
    }
    String found = find(self, owner, name, descriptor);
    return found == null ? owner : found;
  }

  private String find(ClassReader self, String owner, String name, String descriptor) {
    if (table.contains(owner, name, descriptor)) {
      return owner;
    }
    Known type = owner.equals(self.getClassName()) ? read(self) : of(owner);
    if (type.declared.contains(name + descriptor)) {
      return null;
    }
    for (String parent : type.parents) {
      String found = find(self, parent, name, descriptor);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private Known of(String type) {
    Known before = known.get(type);
    if (before != null) {
      return before;
    }
    // Not computed within the map: reading may define classes, which are rewritten in turn.
    Known read = open(type);
    known.put(type, read);
    return read;
  }

  private Known open(String type) {
    try (InputStream in = files.apply(type.concat(".class"))) {
      return in == null ? UNKNOWN : read(new ClassReader(in));
    } catch (IOException | IllegalArgumentException e) {
      // Not there, or newer than this JVM: it cannot be called either.
      return UNKNOWN;
    }
  }

  private Known read(ClassReader reader) {
    Set<String> declared = new HashSet<>();
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            if (table.mayInherit(name, descriptor)) {
              declared.add(name + descriptor);
            }
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    List<String> parents = new ArrayList<>();
    if (reader.getSuperName() != null) {
      parents.add(reader.getSuperName());
    }
    parents.addAll(List.of(reader.getInterfaces()));
    return new Known(List.copyOf(parents), Set.copyOf(declared));
  }
}
