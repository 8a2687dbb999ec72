package org.mammoth.engine.statics;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Turns uses of fields that each process has for itself into calls. Immutable. */
final class FieldUses {

  private final StaticsTable table;

  FieldUses(StaticsTable table) {
    this.table = table;
  }

  /** Rewrites a method, in place. */
  void rewrite(MethodNode method) {
    for (AbstractInsnNode each : method.instructions.toArray()) {
      boolean reads = each.getOpcode() == Opcodes.GETSTATIC;
      if (reads || each.getOpcode() == Opcodes.PUTSTATIC) {
        FieldInsnNode use = (FieldInsnNode) each;
        if (table.slot(use.owner, use.name) != null) {
          method.instructions.set(each, reads ? get(use) : set(use));
        }
      }
    }
  }

  static MethodInsnNode get(FieldInsnNode use) {
    return new MethodInsnNode(
        Opcodes.INVOKESTATIC, use.owner, HolderRewriter.getter(use.name), "()" + use.desc, false);
  }

  static MethodInsnNode set(FieldInsnNode use) {
    return new MethodInsnNode(
        Opcodes.INVOKESTATIC,
        use.owner,
        HolderRewriter.setter(use.name),
        "(" + use.desc + ")V",
        false);
  }
}
