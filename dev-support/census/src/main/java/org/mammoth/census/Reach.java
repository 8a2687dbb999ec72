// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;

/**
 * Which classes tasks and ApplicationMasters may reach. They begin with what is in no daemon's jar:
 * Hadoop's clients and all libraries, as jobs may use any. They go on to what these name, in code
 * or as a string, however far. That is more than what runs, and less than what reflection finds by
 * names that are made as it runs.
 */
final class Reach {

  /** Jars of daemons, of tests, of our own: nobody begins there. */
  private static final Pattern NO_BEGINNING =
      Pattern.compile(
          "hadoop-(hdfs(-rbf|-httpfs|-nfs)?|kms|nfs|registry|yarn-server-.*|yarn-services-.*"
              + "|yarn-applications-.*|mapreduce-client-(hs|hs-plugins|uploader|shuffle)|.*-tests)"
              + "|mammoth-.*|mpcache|picocli|asm");

  /** What commands start, and no task: the walk ends there. */
  private static final Pattern ENDS =
      Pattern.compile("org/apache/hadoop/yarn/service/client/(Api)?ServiceClient");

  private static final int CLASS = 7;
  private static final int STRING = 8;

  private final ClassFiles files;

  /** By class, one that names it; "" where reaching begins. */
  private final Map<String, String> from = new LinkedHashMap<>();

  Reach(ClassFiles files) {
    this.files = files;
    Deque<String> left = new ArrayDeque<>();
    for (String name : files.names()) {
      if (!NO_BEGINNING.matcher(Item.jarName(files.jar(name))).matches()) {
        from.put(name, "");
        left.add(name);
      }
    }
    while (!left.isEmpty()) {
      String name = left.poll();
      for (String next : named(name)) {
        if (from.putIfAbsent(next, name) == null && !ENDS.matcher(next).matches()) {
          left.add(next);
        }
      }
    }
  }

  private List<String> named(String name) {
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

  /** Constants stand in the code that uses them, too, so that is where they count. */
  private static boolean isListOfKeys(String name) {
    return name.endsWith("Configuration") || name.endsWith("Keys") || name.endsWith("Config");
  }

  boolean contains(String name) {
    return from.containsKey(name);
  }

  /** How a class is reached, from a beginning on. */
  String way(String name) {
    StringBuilder way = new StringBuilder(name);
    for (String at = from.get(name); at != null && !at.isEmpty(); at = from.get(at)) {
      way.insert(0, at + " > ");
    }
    return way.toString().replace('/', '.');
  }
}
