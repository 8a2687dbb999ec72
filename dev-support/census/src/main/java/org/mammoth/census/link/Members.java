// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/** Finds members as the JVM does: in the class, above it, in its interfaces. */
final class Members {

  /**
   * A member that was found.
   *
   * @param owner the class that declares it
   * @param access its flags
   */
  record Found(ClassNode owner, int access) {
    boolean isPrivate() {
      return (access & Opcodes.ACC_PRIVATE) != 0;
    }

    boolean isOpen() {
      return (access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0;
    }

    boolean isStatic() {
      return (access & Opcodes.ACC_STATIC) != 0;
    }
  }

  private final ClassPath classes;

  Members(ClassPath classes) {
    this.classes = classes;
  }

  /** A method by name and descriptor; empty if there is none. */
  Optional<Found> method(String owner, String name, String descriptor) {
    if (owner.startsWith("[")) {
      return method("java/lang/Object", name, descriptor);
    }
    for (ClassNode node : lineage(owner)) {
      for (MethodNode method : node.methods) {
        if (method.name.equals(name)
            && (method.desc.equals(descriptor) || isPolymorphic(node, method))) {
          return Optional.of(new Found(node, method.access));
        }
      }
    }
    return Optional.empty();
  }

  /** Method handles take whatever they are called with. */
  private static boolean isPolymorphic(ClassNode node, MethodNode method) {
    return node.name.matches("java/lang/invoke/(MethodHandle|VarHandle)")
        && method.desc.startsWith("([Ljava/lang/Object;)");
  }

  /** A field by name and descriptor; empty if there is none. */
  Optional<Found> field(String owner, String name, String descriptor) {
    for (ClassNode node : lineage(owner)) {
      for (FieldNode field : node.fields) {
        if (field.name.equals(name) && field.desc.equals(descriptor)) {
          return Optional.of(new Found(node, field.access));
        }
      }
    }
    return Optional.empty();
  }

  /** The class, what is above it, and then all interfaces; what is missing is left out. */
  List<ClassNode> lineage(String name) {
    List<ClassNode> all = new ArrayList<>();
    Optional<ClassNode> at = classes.find(name);
    while (at.isPresent()) {
      all.add(at.get());
      at = at.get().superName == null ? Optional.empty() : classes.find(at.get().superName);
    }
    for (int i = 0; i < all.size(); i++) {
      for (String each : all.get(i).interfaces) {
        classes.find(each).filter(node -> !all.contains(node)).ifPresent(all::add);
      }
    }
    return all;
  }

  /** Whether a class is another, or below it. */
  boolean isBelow(String name, String other) {
    return lineage(name).stream().anyMatch(node -> node.name.equals(other));
  }
}
