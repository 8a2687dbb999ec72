// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.mammoth.engine.isolation.standins.FieldCalls;
import org.mammoth.engine.isolation.standins.OwnField;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Turns one class's uses of fields that each process has for itself into calls; before a job's
 * class sets another static field of a shared class, the call asks for a process. A class may name
 * a field by a subclass that inherits it, as compilers do for code of that subclass; the field is
 * looked up as the JVM does. For one thread.
 */
final class FieldUses {

  private static final String FIELD_CALLS = Type.getInternalName(FieldCalls.class);

  private final StaticsTable table;
  private final ClassLoader loader;
  private final Predicate<String> isListed;
  private final Predicate<String> isShared;
  private final Map<String, ClassNode> known = new HashMap<>();

  /**
   * For one class.
   *
   * @param loader has the files of the class's superclasses
   * @param isListed whether a class whose name is in the table is the table's: a job may bring a
   *     library of its own that has classes of the same names
   * @param isShared whether a class, by its name with slashes, is one that all tasks share and that
   *     this class must not change
   */
  FieldUses(
      StaticsTable table,
      ClassNode type,
      ClassLoader loader,
      Predicate<String> isListed,
      Predicate<String> isShared) {
    this.table = table;
    this.loader = loader;
    this.isListed = isListed;
    this.isShared = isShared;
    known.put(type.name, type);
  }

  /** Rewrites a method of the class, in place; returns whether it has such uses. */
  boolean rewrite(MethodNode method) {
    boolean found = false;
    for (AbstractInsnNode each : method.instructions.toArray()) {
      if (each.getOpcode() == Opcodes.GETSTATIC || each.getOpcode() == Opcodes.PUTSTATIC) {
        found |= rewrite(method.instructions, (FieldInsnNode) each);
      }
    }
    return found;
  }

  private boolean rewrite(InsnList code, FieldInsnNode use) {
    boolean reads = use.getOpcode() == Opcodes.GETSTATIC;
    if (reads && !table.hasFieldNamed(use.name)) {
      return false;
    }
    String declarer = declarerOf(use);
    if (declarer == null) {
      return false;
    }
    if (hasSlot(declarer, use.name)) {
      code.set(use, reads ? get(declarer, use) : set(declarer, use));
      return true;
    }
    if (reads || !isShared.test(declarer)) {
      return false;
    }
    code.insertBefore(use, new LdcInsnNode(declarer.replace('/', '.') + "." + use.name));
    code.insertBefore(
        use,
        new MethodInsnNode(
            Opcodes.INVOKESTATIC, FIELD_CALLS, "setting", "(Ljava/lang/String;)V", false));
    return true;
  }

  private boolean hasSlot(String owner, String field) {
    return table.slot(owner, field) != null && isListed.test(owner);
  }

  /** The class that has the field; null if none is found. */
  private String declarerOf(FieldInsnNode use) {
    String name = use.owner;
    while (name != null && !hasSlot(name, use.name)) {
      ClassNode type = known.computeIfAbsent(name, this::read);
      if (declares(type, use)) {
        return name;
      }
      name = type.superName;
    }
    return name;
  }

  private static boolean declares(ClassNode type, FieldInsnNode use) {
    for (FieldNode field : type.fields) {
      if (field.name.equals(use.name) && field.desc.equals(use.desc)) {
        return true;
      }
    }
    return false;
  }

  private ClassNode read(String name) {
    ClassNode type = new ClassNode();
    try (InputStream in = loader.getResourceAsStream(name + ".class")) {
      if (in != null) {
        new ClassReader(in)
            .accept(type, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      }
      // One that is not there has no fields: the JVM fails where the use is linked, as ever.
      return type;
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be read", e);
    }
  }

  private static MethodInsnNode get(String holder, FieldInsnNode use) {
    return new MethodInsnNode(
        Opcodes.INVOKESTATIC, holder, OwnField.getter(use.name), "()" + use.desc, false);
  }

  static MethodInsnNode set(String holder, FieldInsnNode use) {
    return new MethodInsnNode(
        Opcodes.INVOKESTATIC, holder, OwnField.setter(use.name), "(" + use.desc + ")V", false);
  }
}
