// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.util.Map;
import org.mammoth.engine.isolation.standins.OwnField;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Gives a class that has static fields of processes the methods by which they are read and set, and
 * by which a process's start values are found. The class's own fields stay, as the engine's.
 */
final class HolderRewriter {

  /** The engine's values of the fields in an array, in the order of their indexes. */
  static final String BASE = "mammoth$engineStatics";

  /** The class's initialiser once more, for the fields that start with what it computes. */
  static final String INIT = "mammoth$initStatics";

  private static final String OURS = Type.getInternalName(TaskStatics.class);
  private static final int HELPER =
      Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;

  private final ClassNode type;
  private final StaticsTable.Holder holder;

  HolderRewriter(ClassNode type, StaticsTable.Holder holder) {
    this.type = type;
    this.holder = holder;
  }

  /**
   * Adds the methods.
   *
   * @param initialiser the class's initialiser as it was compiled; null if it has none
   * @throws IllegalStateException if the class has not the fields it is known to have
   */
  void add(MethodNode initialiser) {
    for (String name : holder.slots().keySet()) {
      FieldNode field = field(name);
      if (field == null) {
        continue;
      }
      // Private where the field is: a serializable class's own number does not count such methods.
      int access =
          (field.access & Opcodes.ACC_PRIVATE) == 0
              ? Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC
              : HELPER;
      int index = holder.slots().get(name).index();
      type.methods.add(getter(access, field, index));
      type.methods.add(setter(access, field, index));
    }
    type.methods.add(base());
    boolean runsAgain =
        holder.slots().values().stream().anyMatch(slot -> slot.start() == SlotStart.INIT);
    if (runsAgain) {
      if (initialiser == null) {
        throw new IllegalStateException(type.name + " has no initialiser to run again");
      }
      type.methods.add(again(initialiser));
    }
  }

  /** The field of that name; null if this version of the class lacks it, as some do. */
  private FieldNode field(String name) {
    for (FieldNode field : type.fields) {
      if (field.name.equals(name) && (field.access & Opcodes.ACC_STATIC) != 0) {
        return field;
      }
    }
    if (holder.slots().get(name).ofSomeVersions()) {
      return null;
    }
    throw new IllegalStateException(type.name + " has no static field " + name);
  }

  private MethodNode getter(int access, FieldNode field, int index) {
    MethodNode method =
        new MethodNode(access, OwnField.getter(field.name), "()" + field.desc, null, null);
    InsnList code = method.instructions;
    LabelNode own = new LabelNode();
    slots(code);
    code.add(new VarInsnNode(Opcodes.ASTORE, 0));
    code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    code.add(new JumpInsnNode(Opcodes.IFNONNULL, own));
    code.add(new FieldInsnNode(Opcodes.GETSTATIC, type.name, field.name, field.desc));
    code.add(new InsnNode(Type.getType(field.desc).getOpcode(Opcodes.IRETURN)));
    code.add(own);
    code.add(frame(new Object[] {"[Ljava/lang/Object;"}));
    code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    code.add(new LdcInsnNode(index));
    code.add(new InsnNode(Opcodes.AALOAD));
    Boxes.unbox(code, Type.getType(field.desc));
    code.add(new InsnNode(Type.getType(field.desc).getOpcode(Opcodes.IRETURN)));
    return method;
  }

  private MethodNode setter(int access, FieldNode field, int index) {
    Type value = Type.getType(field.desc);
    MethodNode method =
        new MethodNode(access, OwnField.setter(field.name), "(" + field.desc + ")V", null, null);
    InsnList code = method.instructions;
    LabelNode own = new LabelNode();
    int slots = value.getSize();
    slots(code);
    code.add(new VarInsnNode(Opcodes.ASTORE, slots));
    code.add(new VarInsnNode(Opcodes.ALOAD, slots));
    code.add(new JumpInsnNode(Opcodes.IFNONNULL, own));
    // A final field stays final, as programs see; the engine's is set by the initialiser alone.
    if ((field.access & Opcodes.ACC_FINAL) == 0) {
      code.add(new VarInsnNode(value.getOpcode(Opcodes.ILOAD), 0));
      code.add(new FieldInsnNode(Opcodes.PUTSTATIC, type.name, field.name, field.desc));
    }
    code.add(new InsnNode(Opcodes.RETURN));
    code.add(own);
    code.add(frame(new Object[] {Boxes.frameType(value), "[Ljava/lang/Object;"}));
    code.add(new VarInsnNode(Opcodes.ALOAD, slots));
    code.add(new LdcInsnNode(index));
    code.add(new VarInsnNode(value.getOpcode(Opcodes.ILOAD), 0));
    Boxes.box(code, value);
    code.add(new InsnNode(Opcodes.AASTORE));
    code.add(new InsnNode(Opcodes.RETURN));
    return method;
  }

  private MethodNode base() {
    MethodNode method = new MethodNode(HELPER, BASE, "()[Ljava/lang/Object;", null, null);
    InsnList code = method.instructions;
    code.add(new LdcInsnNode(holder.slots().size()));
    code.add(new TypeInsnNode(Opcodes.ANEWARRAY, "java/lang/Object"));
    for (Map.Entry<String, StaticsTable.Slot> entry : holder.slots().entrySet()) {
      FieldNode field = field(entry.getKey());
      if (field == null) {
        continue;
      }
      code.add(new InsnNode(Opcodes.DUP));
      code.add(new LdcInsnNode(entry.getValue().index()));
      code.add(new FieldInsnNode(Opcodes.GETSTATIC, type.name, field.name, field.desc));
      Boxes.box(code, Type.getType(field.desc));
      code.add(new InsnNode(Opcodes.AASTORE));
    }
    code.add(new InsnNode(Opcodes.ARETURN));
    return method;
  }

  private void slots(InsnList code) {
    code.add(new LdcInsnNode(holder.id()));
    code.add(
        new MethodInsnNode(Opcodes.INVOKESTATIC, OURS, "slots", "(I)[Ljava/lang/Object;", false));
  }

  private static FrameNode frame(Object[] locals) {
    return new FrameNode(Opcodes.F_NEW, locals.length, locals, 0, new Object[0]);
  }

  /** Sets the fields it is for, and drops what it computes for others. */
  private MethodNode again(MethodNode initialiser) {
    MethodNode method = new MethodNode(HELPER, INIT, "()V", null, null);
    initialiser.accept(method);
    for (AbstractInsnNode each : method.instructions.toArray()) {
      if (each.getOpcode() == Opcodes.PUTSTATIC) {
        FieldInsnNode put = (FieldInsnNode) each;
        StaticsTable.Slot slot = put.owner.equals(type.name) ? holder.slots().get(put.name) : null;
        if (slot != null && slot.start() == SlotStart.INIT) {
          method.instructions.set(each, FieldUses.set(put.owner, put));
        } else if (put.owner.equals(type.name)) {
          boolean wide = Type.getType(put.desc).getSize() == 2;
          method.instructions.set(each, new InsnNode(wide ? Opcodes.POP2 : Opcodes.POP));
        }
      }
    }
    return method;
  }
}
