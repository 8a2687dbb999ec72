// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Turns uses of instance fields that processes may have their own values of into calls. An object's
 * constructor sets the fields themselves: it is nobody else's yet, and then all share it.
 * Immutable.
 */
final class OwnFieldUses {

  private static final String CONSTRUCTOR = "<init>";

  private final StaticsTable table;

  OwnFieldUses(StaticsTable table) {
    this.table = table;
  }

  /** Rewrites a method, in place. */
  void rewrite(MethodNode method) {
    if (method.name.equals(CONSTRUCTOR)) {
      return;
    }
    for (AbstractInsnNode each : method.instructions.toArray()) {
      boolean reads = each.getOpcode() == Opcodes.GETFIELD;
      if (reads || each.getOpcode() == Opcodes.PUTFIELD) {
        FieldInsnNode use = (FieldInsnNode) each;
        String owner = table.ownerOf(use.owner, use.name);
        if (owner != null) {
          String object = "(L" + owner + ";";
          method.instructions.set(
              each,
              reads
                  ? call(owner, OwnFieldsRewriter.getter(use.name), object + ")" + use.desc)
                  : call(owner, OwnFieldsRewriter.setter(use.name), object + use.desc + ")V"));
        }
      }
    }
  }

  private static MethodInsnNode call(String owner, String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
  }
}
