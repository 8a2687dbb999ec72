package org.mammoth.census;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;

/**
 * Which classes others name, in code or as a string, however far: what may be loaded because they
 * are. More than what runs, and less than what reflection could find by other names.
 */
final class Reach {

  private static final int CLASS = 7;
  private static final int STRING = 8;

  private final ClassFiles files;
  private final Map<String, String> from = new LinkedHashMap<>();
  private final Map<String, List<String>> named = new HashMap<>();

  /** All that some classes reach. */
  Reach(ClassFiles files, Collection<String> roots) {
    this.files = files;
    Deque<String> left = new ArrayDeque<>();
    for (String root : roots) {
      if (from.putIfAbsent(root, "") == null) {
        left.add(root);
      }
    }
    while (!left.isEmpty()) {
      String name = left.poll();
      for (String next : named(name)) {
        if (from.putIfAbsent(next, name) == null) {
          left.add(next);
        }
      }
    }
  }

  private List<String> named(String name) {
    return named.computeIfAbsent(name, this::read);
  }

  private List<String> read(String name) {
    List<String> found = new ArrayList<>();
    ClassReader reader = new ClassReader(files.code(name));
    char[] buffer = new char[reader.getMaxStringLength()];
    for (int i = 1; i < reader.getItemCount(); i++) {
      int offset = reader.getItem(i);
      int tag = offset == 0 ? 0 : reader.readByte(offset - 1);
      if (tag == CLASS || tag == STRING && !isListOfKeys(name)) {
        String text = reader.readUTF8(offset, buffer);
        String type = tag == CLASS ? text : text.replace('.', '/');
        if (files.code(type) != null) {
          found.add(type);
        }
      }
    }
    return found;
  }

  /** Constants of configuration stand in the code that uses them, too, so that is where they count. */
  private static boolean isListOfKeys(String name) {
    return name.endsWith("Configuration") || name.endsWith("Keys") || name.endsWith("Config");
  }

  boolean contains(String name) {
    return from.containsKey(name);
  }

  /** How a class is reached, from a root on. */
  String way(String name) {
    StringBuilder way = new StringBuilder(name);
    for (String at = from.get(name); at != null && !at.isEmpty(); at = from.get(at)) {
      way.insert(0, at + " > ");
    }
    return way.toString().replace('/', '.');
  }
}
