// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.mammoth.mapreduce.sort.FoldState.Next;
import org.mammoth.mapreduce.sort.FoldTerm.Kind;
import org.mammoth.mapreduce.sort.FoldTerm.Operation;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Proves of a reducer, from its code, that it writes for each key the sum, the maximum or the
 * minimum of all its values, whole numbers of one class: then neither their order shows, nor how
 * often it runs as a combiner, on which of them. Sums of fractions are not such: their last digits
 * depend on the order.
 *
 * <p>Follows the reduce method through all states that differ ({@link FoldState}): the only
 * questions it may ask are whether another value comes and which of two numbers is larger. A loop
 * comes back to a state it has seen, which proves it for any number of values. One thread at a
 * time.
 */
final class ExactFold {

  private static final int MOST_STATES = 2000;

  private static final String NEW_API =
      "(Ljava/lang/Object;Ljava/lang/Iterable;Lorg/apache/hadoop/mapreduce/Reducer$Context;)V";
  private static final String OLD_API =
      "(Ljava/lang/Object;Ljava/util/Iterator;Lorg/apache/hadoop/mapred/OutputCollector;"
          + "Lorg/apache/hadoop/mapred/Reporter;)V";

  private static final Set<String> NUMBERS =
      Set.of(
          "org/apache/hadoop/io/IntWritable",
          "org/apache/hadoop/io/LongWritable",
          "org/apache/hadoop/io/VIntWritable",
          "org/apache/hadoop/io/VLongWritable");

  /** The method does something that is not covered. */
  private static final class NotProvenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotProvenException() {
      super(null, null, false, false);
    }
  }

  private final InsnList code;
  private final Deque<FoldState> open = new ArrayDeque<>();
  private final Set<FoldState> seen = new HashSet<>();

  /** Class of the numbers that are read, and of those that are written; null before the first. */
  private String numbers;

  /** What the results are; null before the first that tells. */
  private Operation written;

  /** The constant that a maximum or minimum begins with; null before there is one. */
  private Long begin;

  private ExactFold(InsnList code) {
    this.code = code;
  }

  /** Whether a reducer or combiner is proven to be such; false, too, if its code can't be read. */
  static boolean isProven(Class<?> reducer) {
    try {
      MethodNode reduce = reduceOf(CombinerCode.read(reducer));
      return reduce != null && new ExactFold(reduce.instructions).follow();
    } catch (IOException | LinkageError | RuntimeException e) {
      return false;
    }
  }

  /** The only method that upstream calls for a group; null if it is not known to be that. */
  private static MethodNode reduceOf(ClassNode reducer) {
    MethodNode only = null;
    boolean called = false;
    for (MethodNode method : reducer == null ? List.<MethodNode>of() : reducer.methods) {
      if (!method.name.equals("reduce")) {
        continue;
      }
      called |= method.desc.equals(NEW_API) || method.desc.equals(OLD_API);
      if ((method.access & Opcodes.ACC_BRIDGE) == 0) {
        if (only != null || (method.access & (Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT)) != 0) {
          return null;
        }
        only = method;
      }
    }
    return called && only != null && only.tryCatchBlocks.isEmpty() ? only : null;
  }

  private boolean follow() {
    FoldState first = new FoldState();
    first.store(0, FoldTerm.of(Kind.COMBINER));
    first.store(1, FoldTerm.of(Kind.KEY));
    first.store(2, FoldTerm.of(Kind.VALUES));
    first.store(3, FoldTerm.of(Kind.CONTEXT));
    open.add(first);
    while (!open.isEmpty()) {
      FoldState state = open.remove();
      if (seen.size() > MOST_STATES || state.at >= code.size()) {
        return false;
      }
      if (seen.add(new FoldState(state))) {
        step(state, code.get(state.at));
      }
    }
    return written != null;
  }

  /** Goes on behind the instruction. */
  private void go(FoldState state) {
    state.at++;
    open.add(state);
  }

  private void go(FoldState state, FoldTerm result) {
    state.push(result);
    go(state);
  }

  private void jump(FoldState state, AbstractInsnNode instruction) {
    state.at = code.indexOf(((JumpInsnNode) instruction).label);
    open.add(state);
  }

  private void step(FoldState state, AbstractInsnNode instruction) {
    switch (instruction.getType()) {
      case AbstractInsnNode.LABEL:
      case AbstractInsnNode.LINE:
      case AbstractInsnNode.FRAME:
        go(state);
        break;
      case AbstractInsnNode.VAR_INSN:
        variable(state, (VarInsnNode) instruction);
        break;
      case AbstractInsnNode.IINC_INSN:
        state.store(((IincInsnNode) instruction).var, FoldTerm.UNKNOWN);
        go(state);
        break;
      case AbstractInsnNode.INT_INSN:
        if (instruction.getOpcode() == Opcodes.NEWARRAY) {
          throw new NotProvenException();
        }
        go(state, FoldTerm.constant(((IntInsnNode) instruction).operand));
        break;
      case AbstractInsnNode.LDC_INSN:
        go(state, constant(((LdcInsnNode) instruction).cst));
        break;
      case AbstractInsnNode.TYPE_INSN:
        ofType(state, (TypeInsnNode) instruction);
        break;
      case AbstractInsnNode.FIELD_INSN:
        field(state, (FieldInsnNode) instruction);
        break;
      case AbstractInsnNode.METHOD_INSN:
        call(state, (MethodInsnNode) instruction);
        break;
      case AbstractInsnNode.JUMP_INSN:
        branch(state, instruction);
        break;
      case AbstractInsnNode.INSN:
        plain(state, instruction.getOpcode());
        break;
      default:
        throw new NotProvenException();
    }
  }

  private static FoldTerm constant(Object value) {
    if (value instanceof Integer || value instanceof Long) {
      return FoldTerm.constant(((Number) value).longValue());
    }
    throw new NotProvenException();
  }

  private void variable(FoldState state, VarInsnNode instruction) {
    switch (instruction.getOpcode()) {
      case Opcodes.ALOAD:
      case Opcodes.ILOAD:
      case Opcodes.LLOAD:
        go(state, state.load(instruction.var));
        break;
      case Opcodes.ASTORE:
      case Opcodes.ISTORE:
      case Opcodes.LSTORE:
        state.store(instruction.var, state.pop());
        go(state);
        break;
      default:
        throw new NotProvenException();
    }
  }

  private void ofType(FoldState state, TypeInsnNode instruction) {
    if (instruction.getOpcode() == Opcodes.NEW) {
      mustBeNumber(instruction.desc);
      go(state, state.create("new " + state.at));
    } else if (instruction.getOpcode() == Opcodes.CHECKCAST) {
      FoldTerm top = state.pop();
      if (top.is(Kind.LAST)) {
        mustBeNumber(instruction.desc);
      }
      go(state, top);
    } else {
      throw new NotProvenException();
    }
  }

  private void mustBeNumber(String type) {
    if (!NUMBERS.contains(type) || numbers != null && !numbers.equals(type)) {
      throw new NotProvenException();
    }
    numbers = type;
  }

  /** A Writable in a field holds nothing that is known before it is set. */
  private void field(FoldState state, FieldInsnNode instruction) {
    boolean isStatic = instruction.getOpcode() == Opcodes.GETSTATIC;
    if (!isStatic
        && (instruction.getOpcode() != Opcodes.GETFIELD || !state.pop().is(Kind.COMBINER))) {
      throw new NotProvenException();
    }
    mustBeNumber(instruction.desc.substring(1, Math.max(1, instruction.desc.length() - 1)));
    go(state, FoldTerm.object(instruction.owner + "." + instruction.name));
  }

  private void plain(FoldState state, int opcode) {
    if (opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.ICONST_5) {
      go(state, FoldTerm.constant(opcode - Opcodes.ICONST_0));
      return;
    }
    switch (opcode) {
      case Opcodes.NOP:
        go(state);
        break;
      case Opcodes.LCONST_0:
      case Opcodes.LCONST_1:
        go(state, FoldTerm.constant(opcode - Opcodes.LCONST_0));
        break;
      case Opcodes.POP:
        state.pop();
        go(state);
        break;
      case Opcodes.DUP:
        FoldTerm top = state.pop();
        state.push(top);
        go(state, top);
        break;
      case Opcodes.IADD:
      case Opcodes.LADD:
        fold(state, Operation.SUM);
        break;
      case Opcodes.LCMP:
        compareLongs(state);
        break;
      case Opcodes.RETURN:
        if (!state.written) {
          throw new NotProvenException();
        }
        break;
      default:
        throw new NotProvenException();
    }
  }

  private void fold(FoldState state, Operation operation) {
    FoldTerm right = state.pop();
    FoldTerm left = state.pop();
    FoldTerm result = folded(state, operation, left, right);
    go(state, result != null ? result : orUnknown(folded(state, operation, right, left)));
  }

  private static FoldTerm orUnknown(FoldTerm term) {
    return term == null ? FoldTerm.UNKNOWN : term;
  }

  private FoldTerm folded(FoldState state, Operation operation, FoldTerm sum, FoldTerm more) {
    if (!more.is(Kind.LAST_NUMBER)) {
      return null;
    }
    if (sum.is(Kind.CONSTANT)) {
      if (operation == Operation.SUM) {
        return sum.number() == 0 ? more : null;
      }
      return state.read == 1 && beginsWith(sum) ? FoldTerm.of(Kind.ALL, operation) : null;
    }
    return sum.is(Kind.ALL_BUT_LAST) && sum.operation().canBe(operation)
        ? FoldTerm.of(Kind.ALL, operation)
        : null;
  }

  /** A maximum may begin with any constant, but always with the same one. */
  private boolean beginsWith(FoldTerm constant) {
    if (begin == null) {
      begin = constant.number();
    }
    return begin == constant.number();
  }

  /** The comparison of two longs and the jump that asks for its result. */
  private void compareLongs(FoldState state) {
    AbstractInsnNode jump = code.get(state.at + 1);
    int opcode = jump.getOpcode();
    if (opcode < Opcodes.IFLT || opcode > Opcodes.IFLE) {
      throw new NotProvenException();
    }
    state.at++;
    compare(state, jump, opcode - Opcodes.IFLT);
  }

  private void branch(FoldState state, AbstractInsnNode jump) {
    int opcode = jump.getOpcode();
    if (opcode == Opcodes.GOTO) {
      jump(state, jump);
    } else if (opcode == Opcodes.IFEQ || opcode == Opcodes.IFNE) {
      FoldTerm top = state.pop();
      if (!top.is(Kind.CONSTANT)) {
        throw new NotProvenException();
      }
      if ((top.number() == 0) == (opcode == Opcodes.IFEQ)) {
        jump(state, jump);
      } else {
        go(state);
      }
    } else if (opcode >= Opcodes.IF_ICMPLT && opcode <= Opcodes.IF_ICMPLE) {
      compare(state, jump, opcode - Opcodes.IF_ICMPLT);
    } else {
      throw new NotProvenException();
    }
  }

  /**
   * Follows both ways of a jump.
   *
   * @param relation 0 to 3: the first number is smaller, not smaller, larger, not larger
   */
  private void compare(FoldState state, AbstractInsnNode jump, int relation) {
    FoldTerm right = state.pop();
    FoldTerm left = state.pop();
    boolean lastIsRight = right.is(Kind.LAST_NUMBER);
    FoldTerm other = lastIsRight ? left : right;
    boolean known =
        (lastIsRight || left.is(Kind.LAST_NUMBER))
            && (other.is(Kind.ALL_BUT_LAST)
                || other.is(Kind.CONSTANT) && state.read == 1 && beginsWith(other));
    if (!known) {
      throw new NotProvenException();
    }
    boolean leftNotLarger = relation == 0 || relation == 3;
    FoldState there = new FoldState(state);
    there.learn(other, leftNotLarger == lastIsRight);
    jump(there, jump);
    state.learn(other, leftNotLarger != lastIsRight);
    go(state);
  }

  private void call(FoldState state, MethodInsnNode call) {
    String name = call.owner + "." + call.name;
    switch (name) {
      case "java/lang/Iterable.iterator":
        take(state, Kind.VALUES, it -> go(it, FoldTerm.of(Kind.VALUES)));
        break;
      case "java/util/Iterator.hasNext":
        take(state, Kind.VALUES, this::askForNext);
        break;
      case "java/util/Iterator.next":
        take(state, Kind.VALUES, this::readNext);
        break;
      case "java/lang/Math.max":
        fold(state, Operation.MAXIMUM);
        break;
      case "java/lang/Math.min":
        fold(state, Operation.MINIMUM);
        break;
      case "org/apache/hadoop/mapreduce/Reducer$Context.write":
      case "org/apache/hadoop/mapred/OutputCollector.collect":
        write(state);
        break;
      default:
        ofNumber(state, call);
    }
  }

  private static void take(FoldState state, Kind kind, Consumer<FoldState> then) {
    if (!state.pop().is(kind)) {
      throw new NotProvenException();
    }
    then.accept(state);
  }

  private void askForNext(FoldState state) {
    if (state.next != Next.NO) {
      FoldState more = new FoldState(state);
      more.next = Next.YES;
      go(more, FoldTerm.constant(1));
    }
    if (state.next != Next.YES) {
      state.next = Next.NO;
      go(state, FoldTerm.constant(0));
    }
  }

  private void readNext(FoldState state) {
    if (state.next != Next.YES) {
      throw new NotProvenException();
    }
    state.readNext();
    go(state, FoldTerm.of(Kind.LAST));
  }

  private void write(FoldState state) {
    FoldTerm value = state.pop();
    FoldTerm key = state.pop();
    FoldTerm context = state.pop();
    Operation result = value.is(Kind.OBJECT) ? state.foldedInto(state.heldBy(value)) : null;
    boolean other =
        result != Operation.ANY && written != null && written != Operation.ANY && written != result;
    if (result == null
        || other
        || state.written
        || state.next != Next.NO
        || !key.is(Kind.KEY)
        || !context.is(Kind.CONTEXT)) {
      throw new NotProvenException();
    }
    if (written == null || written == Operation.ANY) {
      written = result;
    }
    state.written = true;
    go(state);
  }

  /** Calls of the Writables that hold numbers. */
  private void ofNumber(FoldState state, MethodInsnNode call) {
    mustBeNumber(call.owner);
    boolean fills = call.name.equals("set") || call.name.equals("<init>");
    if (fills && (call.desc.equals("(I)V") || call.desc.equals("(J)V"))) {
      FoldTerm number = state.pop();
      fill(state, number);
    } else if (call.name.equals("<init>") && call.desc.equals("()V")) {
      fill(state, FoldTerm.constant(0));
    } else if (call.name.equals("get")) {
      FoldTerm from = state.pop();
      if (from.is(Kind.LAST)) {
        go(state, FoldTerm.of(Kind.LAST_NUMBER));
      } else {
        go(state, from.is(Kind.OBJECT) ? state.heldBy(from) : FoldTerm.UNKNOWN);
      }
    } else {
      throw new NotProvenException();
    }
  }

  private void fill(FoldState state, FoldTerm number) {
    FoldTerm object = state.pop();
    if (!object.is(Kind.OBJECT)) {
      throw new NotProvenException();
    }
    state.hold(object, number);
    go(state);
  }
}
