package org.mammoth.census;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/** Where each value that a method's instructions take comes from. Immutable. */
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

  MethodNode method() {
    return method;
  }

  /** What an instruction takes from the stack, lowest first; empty if it is never reached. */
  List<SourceValue> operands(AbstractInsnNode insn) {
    Frame<SourceValue> frame = frames[method.instructions.indexOf(insn)];
    List<SourceValue> taken = new ArrayList<>();
    if (frame != null) {
      int count = Math.min(taken(insn), frame.getStackSize());
      for (int i = frame.getStackSize() - count; i < frame.getStackSize(); i++) {
        taken.add(frame.getStack(i));
      }
    }
    return taken;
  }

  /** The instructions that may have made the value that is on top of the stack. */
  Set<AbstractInsnNode> madeBy(AbstractInsnNode user) {
    List<SourceValue> operands = operands(user);
    return operands.isEmpty() ? Set.of() : operands.get(operands.size() - 1).insns;
  }

  /** How many values an instruction takes; of those that only move values, none. */
  private static int taken(AbstractInsnNode insn) {
    int opcode = insn.getOpcode();
    if (insn instanceof MethodInsnNode call) {
      return Type.getArgumentTypes(call.desc).length + (opcode == Opcodes.INVOKESTATIC ? 0 : 1);
    }
    if (insn instanceof InvokeDynamicInsnNode call) {
      return Type.getArgumentTypes(call.desc).length;
    }
    if (insn instanceof FieldInsnNode) {
      return opcode == Opcodes.GETSTATIC ? 0 : opcode == Opcodes.PUTFIELD ? 2 : 1;
    }
    if (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD) {
      return 2;
    }
    if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
      return 3;
    }
    return switch (opcode) {
      case Opcodes.ARRAYLENGTH, Opcodes.ARETURN, Opcodes.ATHROW -> 1;
      default -> 0;
    };
  }
}
