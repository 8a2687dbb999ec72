package org.mammoth.engine.statics;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * Has the initialiser of a shared class act for the engine, whichever task's thread runs it: what
 * it computes is all tasks'.
 */
final class SharedInitializer {

  private static final String OURS = Type.getInternalName(TaskStatics.class);

  private SharedInitializer() {}

  static void wrap(MethodNode initializer) {
    InsnList code = initializer.instructions;
    for (AbstractInsnNode each : code.toArray()) {
      if (each.getOpcode() == Opcodes.RETURN) {
        code.insertBefore(each, call("leaveInitializer"));
      }
    }
    LabelNode start = new LabelNode();
    LabelNode end = new LabelNode();
    InsnList before = new InsnList();
    before.add(call("enterInitializer"));
    before.add(start);
    code.insert(before);
    code.add(end);
    code.add(
        new FrameNode(Opcodes.F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
    code.add(call("leaveInitializer"));
    code.add(new InsnNode(Opcodes.ATHROW));
    initializer.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
  }

  private static MethodInsnNode call(String name) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, OURS, name, "()V", false);
  }
}
