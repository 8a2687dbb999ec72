// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** What a class's initialiser sets its static fields to. Immutable once made. */
final class Initialisers {

  /** Calls whose result nobody can change, though what it holds may change. */
  private static final Set<String> UNCHANGEABLE =
      Set.of(
          "java/util/List.of",
          "java/util/List.copyOf",
          "java/util/Set.of",
          "java/util/Set.copyOf",
          "java/util/Map.of",
          "java/util/Map.copyOf",
          "java/util/Map.ofEntries");

  private static final String OF_COLLECTIONS = "(unmodifiable|empty|singleton).*";

  /** By field; one that is only set to null has none. */
  private final Map<String, Set<AbstractInsnNode>> makers = new HashMap<>();

  /** Reads the initialiser of a class. */
  static Initialisers of(byte[] code) {
    ClassNode type = new ClassNode();
    new ClassReader(code).accept(type, ClassReader.SKIP_DEBUG);
    Initialisers found = new Initialisers();
    for (MethodNode method : type.methods) {
      if (method.name.equals("<clinit>")) {
        found.read(type.name, method);
      }
    }
    return found;
  }

  private void read(String owner, MethodNode method) {
    Flow flow = new Flow(owner, method);
    for (AbstractInsnNode each : method.instructions) {
      if (each.getOpcode() == Opcodes.PUTSTATIC) {
        String field = ((FieldInsnNode) each).name;
        Set<AbstractInsnNode> of = makers.computeIfAbsent(field, f -> new HashSet<>());
        of.addAll(flow.makers(each, 0));
        of.removeIf(maker -> maker.getOpcode() == Opcodes.ACONST_NULL);
      }
    }
  }

  /** Whether the field is null, or zero. */
  boolean leavesEmpty(String field) {
    return makers.getOrDefault(field, Set.of()).isEmpty();
  }

  /** Whether the field is set to a lambda that holds nothing. */
  boolean setsLambda(String field) {
    return all(field, m -> m instanceof InvokeDynamicInsnNode call && call.desc.startsWith("()"));
  }

  /** Whether the field is set to a new object of one of certain classes. */
  boolean setsNew(String field, Predicate<String> which) {
    return all(field, m -> m.getOpcode() == Opcodes.NEW && which.test(((TypeInsnNode) m).desc));
  }

  /** Whether the field is set to a collection that cannot be changed. */
  boolean setsUnchangeable(String field) {
    return all(
        field,
        m ->
            m instanceof MethodInsnNode call
                && (UNCHANGEABLE.contains(call.owner + '.' + call.name)
                    || call.owner.equals("java/util/Collections")
                        && call.name.matches(OF_COLLECTIONS)));
  }

  /** Whether the field is set to an array without elements. */
  boolean setsEmptyArray(String field) {
    return all(
        field,
        m ->
            (m.getOpcode() == Opcodes.NEWARRAY || m.getOpcode() == Opcodes.ANEWARRAY)
                && m.getPrevious().getOpcode() == Opcodes.ICONST_0);
  }

  private boolean all(String field, Predicate<AbstractInsnNode> which) {
    return makers.getOrDefault(field, Set.of()).stream().allMatch(which);
  }
}
