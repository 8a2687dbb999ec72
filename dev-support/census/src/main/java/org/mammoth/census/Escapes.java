package org.mammoth.census;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * Whether a method only reads a container: an array, a collection or map of the JDK. It may neither
 * change it, nor its iterators or entries, nor hand it to code that is not known to only look.
 */
final class Escapes {

  /** What a value gives access to. */
  private enum Kind {
    CONTAINER,
    ENTRIES,
    ITERATOR,
    ENTRY_ITERATOR,
    ENTRY
  }

  private final Flow flow;
  private final boolean building;
  private final boolean ofArrays;
  private final Map<AbstractInsnNode, Kind> tracked = new HashMap<>();
  private final Deque<AbstractInsnNode> found = new ArrayDeque<>();

  /**
   * Looks into one method.
   *
   * @param building whether the container may be filled here and set to a static field, as by an
   *     initialiser
   * @param ofArrays whether it is an array of arrays
   */
  Escapes(Flow flow, boolean building, boolean ofArrays) {
    this.flow = flow;
    this.building = building;
    this.ofArrays = ofArrays;
  }

  /**
   * Whether the values that some instructions make stay as they are, or here.
   *
   * @param sources the instructions
   */
  boolean onlyReads(Iterable<AbstractInsnNode> sources) {
    sources.forEach(source -> track(source, Kind.CONTAINER));
    while (!found.isEmpty()) {
      AbstractInsnNode source = found.pop();
      for (AbstractInsnNode user : flow.method().instructions.toArray()) {
        List<SourceValue> operands = flow.operands(user);
        for (int i = 0; i < operands.size(); i++) {
          if (operands.get(i).insns.contains(source)
              && !isHarmless(user, i, tracked.get(source))) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private void track(AbstractInsnNode source, Kind kind) {
    if (tracked.putIfAbsent(source, kind) == null) {
      found.add(source);
    }
  }

  private boolean isHarmless(AbstractInsnNode user, int operand, Kind kind) {
    int opcode = user.getOpcode();
    if (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD || opcode == Opcodes.ARRAYLENGTH) {
      if (opcode == Opcodes.AALOAD && ofArrays) {
        track(user, Kind.CONTAINER);
      }
      return true;
    }
    if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
      return building && operand == 0;
    }
    if (user instanceof MethodInsnNode call) {
      boolean receiver = opcode != Opcodes.INVOKESTATIC && operand == 0;
      return receiver
          ? isHarmlessOn(call, kind)
          : isHarmlessTo(call, operand - (opcode == Opcodes.INVOKESTATIC ? 0 : 1), kind);
    }
    if (user instanceof InvokeDynamicInsnNode call) {
      return call.name.startsWith("makeConcat");
    }
    return building && opcode == Opcodes.PUTSTATIC && user instanceof FieldInsnNode;
  }

  private boolean isHarmlessOn(MethodInsnNode call, Kind kind) {
    String name = call.name;
    switch (kind) {
      case ITERATOR:
        return building || Calls.steps(name);
      case ENTRY_ITERATOR:
        if (name.equals("next")) {
          track(call, Kind.ENTRY);
        }
        return building || Calls.steps(name);
      case ENTRY:
        return building || Calls.readsEntry(name);
      default:
    }
    if (name.equals("entrySet")) {
      track(call, Kind.ENTRIES);
      return true;
    }
    if (Calls.isView(name)) {
      track(call, Kind.CONTAINER);
      return true;
    }
    if (Calls.iterates(name)) {
      track(call, kind == Kind.ENTRIES ? Kind.ENTRY_ITERATOR : Kind.ITERATOR);
      return true;
    }
    boolean givesEntries = name.equals("forEach") || name.endsWith("tream");
    return building || Calls.reads(name) && !(kind == Kind.ENTRIES && givesEntries);
  }

  private boolean isHarmlessTo(MethodInsnNode call, int argument, Kind kind) {
    if (kind == Kind.CONTAINER && Calls.passes(call)) {
      track(call, Kind.CONTAINER);
      return true;
    }
    return (kind == Kind.CONTAINER || kind == Kind.ENTRIES) && Calls.looks(call, argument);
  }
}
