// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/** Which instructions made the values that a method's instructions take. Immutable. */
final class Flow {

  /** Follows values through local variables and casts to the instruction that made them. */
  private static final class Makers extends SourceInterpreter {
    Makers() {
      super(Opcodes.ASM9);
    }

    @Override
    public SourceValue copyOperation(AbstractInsnNode insn, SourceValue value) {
      return value;
    }

    @Override
    public SourceValue unaryOperation(AbstractInsnNode insn, SourceValue value) {
      return insn.getOpcode() == Opcodes.CHECKCAST ? value : super.unaryOperation(insn, value);
    }
  }

  private final MethodNode method;
  private final Frame<SourceValue>[] frames;

  Flow(String owner, MethodNode method) {
    this.method = method;
    try {
      this.frames = new Analyzer<>(new Makers()).analyze(owner, method);
    } catch (AnalyzerException e) {
      throw new IllegalArgumentException(owner + "." + method.name + " is no valid code", e);
    }
  }

  /**
   * What may have made a value that an instruction takes; nothing if it is never reached.
   *
   * @param depth how many values lie above it on the stack
   */
  Set<AbstractInsnNode> makers(AbstractInsnNode at, int depth) {
    Frame<SourceValue> frame = frames[method.instructions.indexOf(at)];
    return frame == null ? Set.of() : frame.getStack(frame.getStackSize() - 1 - depth).insns;
  }
}
