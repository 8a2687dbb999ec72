package org.mammoth.engine.statics;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.mammoth.engine.isolation.OwnField;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Turns one class's uses of fields that each process has for itself into calls. A class may name a
 * field by a subclass that inherits it, as compilers do for code of that subclass; the field is
 * looked up as the JVM does. For one thread.
 */
final class FieldUses {

  private final StaticsTable table;
  private final ClassLoader loader;
  private final Map<String, ClassNode> known = new HashMap<>();

  /**
   * For one class.
   *
   * @param loader has the files of the class's superclasses
   */
  FieldUses(StaticsTable table, ClassNode type, ClassLoader loader) {
    this.table = table;
    this.loader = loader;
    known.put(type.name, type);
  }

  /** Rewrites a method of the class, in place; returns whether it has such uses. */
  boolean rewrite(MethodNode method) {
    boolean found = false;
    for (AbstractInsnNode each : method.instructions.toArray()) {
      boolean reads = each.getOpcode() == Opcodes.GETSTATIC;
      if (reads || each.getOpcode() == Opcodes.PUTSTATIC) {
        FieldInsnNode use = (FieldInsnNode) each;
        String holder = holderOf(use);
        if (holder != null) {
          method.instructions.set(each, reads ? get(holder, use) : set(holder, use));
          found = true;
        }
      }
    }
    return found;
  }

  /** The class of the table that declares the field; null if the field is none of the table's. */
  private String holderOf(FieldInsnNode use) {
    if (!table.hasFieldNamed(use.name)) {
      return null;
    }
    String name = use.owner;
    while (name != null && table.slot(name, use.name) == null) {
      ClassNode type = known.computeIfAbsent(name, this::read);
      name = declares(type, use) ? null : type.superName;
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
