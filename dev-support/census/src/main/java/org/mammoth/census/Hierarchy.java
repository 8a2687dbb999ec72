// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who extends whom, and which class declares a field that code names. Immutable. */
final class Hierarchy {

  private final Map<String, ClassInfo> classes = new LinkedHashMap<>();
  private final Map<String, List<String>> children = new HashMap<>();

  Hierarchy(ClassFiles files) {
    for (String name : files.names()) {
      ClassInfo info = ClassInfo.read(files.code(name));
      classes.put(name, info);
      children.computeIfAbsent(info.parent(), p -> new ArrayList<>()).add(name);
      info.interfaces().forEach(i -> children.computeIfAbsent(i, p -> new ArrayList<>()).add(name));
    }
  }

  Collection<ClassInfo> classes() {
    return classes.values();
  }

  /** A class, or null if it is none of these. */
  ClassInfo of(String name) {
    return classes.get(name);
  }

  /** The classes that name this one as their parent or interface. */
  List<String> children(String name) {
    return children.getOrDefault(name, List.of());
  }

  /**
   * The field that an instruction means: of the class it names, else of its interfaces, else of its
   * parent, as the JVM looks for it. Null if no class of these declares it.
   */
  FieldInfo resolve(String owner, String name, String descriptor) {
    ClassInfo type = classes.get(owner);
    if (type == null) {
      return null;
    }
    FieldInfo found = type.staticField(name, descriptor);
    for (int i = 0; found == null && i < type.interfaces().size(); i++) {
      found = resolve(type.interfaces().get(i), name, descriptor);
    }
    return found == null && type.parent() != null
        ? resolve(type.parent(), name, descriptor)
        : found;
  }

  /** Whether a class is another one or descends from it. */
  boolean isA(String name, String ancestor) {
    if (name == null) {
      return false;
    }
    if (name.equals(ancestor)) {
      return true;
    }
    ClassInfo type = classes.get(name);
    return type != null
        && (isA(type.parent(), ancestor)
            || type.interfaces().stream().anyMatch(i -> isA(i, ancestor)));
  }
}
