// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Classes whose objects cannot change: all instance fields, inherited ones too, are of such types
 * and final, or set by constructors only. An object without fields is one of these. Immutable
 * itself.
 */
final class Immutables {

  private static final Set<String> JDK_PARENTS =
      Set.of("java/lang/Object", "java/lang/Enum", "java/lang/Record", "java/lang/Number");

  private final Hierarchy hierarchy;
  private final Uses uses;

  /** Whose own objects cannot change; those of subclasses may. */
  private final Set<String> exact = new HashSet<>();

  /** Whose objects cannot change, whatever their class. */
  private final Set<String> closed = new HashSet<>();

  /** Begins with all classes and drops those of which it is not so, until none is dropped. */
  Immutables(Hierarchy hierarchy, Uses uses) {
    this.hierarchy = hierarchy;
    this.uses = uses;
    for (ClassInfo type : hierarchy.classes()) {
      if (!type.isInterface()) {
        exact.add(type.name());
        closed.add(type.name());
      }
    }
    boolean changed = true;
    while (changed) {
      changed =
          exact.removeIf(name -> !hasFinalFields(hierarchy.of(name)))
              | closed.removeIf(name -> !exact.contains(name) || !areClosed(name));
    }
  }

  private boolean hasFinalFields(ClassInfo type) {
    String parent = type.parent();
    if (!JDK_PARENTS.contains(parent)
        && !Known.IMMUTABLE.contains(parent)
        && !exact.contains(parent)) {
      return false;
    }
    return type.fields().stream()
        .filter(field -> !field.isStatic())
        .allMatch(field -> uses.isSetOnce(field) && isImmutable(field.descriptor()));
  }

  private boolean areClosed(String name) {
    return hierarchy.children(name).stream().allMatch(closed::contains);
  }

  /** Whether no value of a declared type can change. */
  boolean isImmutable(String descriptor) {
    Type type = Type.getType(descriptor);
    return switch (type.getSort()) {
      case Type.ARRAY -> false;
      case Type.OBJECT -> isImmutableClass(type.getInternalName());
      default -> true;
    };
  }

  /** Whether no object of a class or its subclasses can change. */
  boolean isImmutableClass(String name) {
    return Known.IMMUTABLE.contains(name)
        || Known.HANDLES.contains(name)
        || Known.LOGGERS.contains(name)
        || closed.contains(name);
  }

  /** Whether no object of this very class can change. */
  boolean isImmutableExactly(String name) {
    return isImmutableClass(name) || name.equals("java/lang/Object") || exact.contains(name);
  }

  /** Whether a class is an enumeration, or the class of one of its constants. */
  boolean isEnum(String name) {
    ClassInfo type = hierarchy.of(name);
    return type != null
        && ((type.access() & Opcodes.ACC_ENUM) != 0 || "java/lang/Enum".equals(type.parent()));
  }
}
