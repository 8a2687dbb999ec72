// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
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
 * Gives a class whose objects are shared the methods by which fields are read and set that a
 * process may have its own values of. The fields stay, as what all others have.
 */
final class OwnFieldsRewriter {

  private static final String OURS = Type.getInternalName(TaskStatics.class);
  private static final String ARRAY = "[Ljava/lang/Object;";
  private static final String SHARED = "mammoth$shared";
  private static final int HELPER = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;

  private final ClassNode type;
  private final List<String> fields;

  OwnFieldsRewriter(ClassNode type, List<String> fields) {
    this.type = type;
    this.fields = fields;
  }

  static String getter(String field) {
    return "mammoth$ownGet$" + field;
  }

  static String setter(String field) {
    return "mammoth$ownSet$" + field;
  }

  void add(StaticsTable table) {
    for (MethodNode method : type.methods) {
      if (table.detaches(type.name, method.name)) {
        method.instructions.insert(detach());
      }
    }
    for (String name : fields) {
      type.methods.add(getter(field(name)));
      type.methods.add(setter(field(name)));
    }
    type.methods.add(shared());
  }

  private FieldNode field(String name) {
    for (FieldNode field : type.fields) {
      if (field.name.equals(name) && (field.access & Opcodes.ACC_STATIC) == 0) {
        return field;
      }
    }
    throw new IllegalStateException(type.name + " has no field " + name);
  }

  private InsnList detach() {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    makeOwn(code);
    code.add(new InsnNode(Opcodes.POP));
    return code;
  }

  /** With the object on the stack, leaves the calling process's values there. */
  private void makeOwn(InsnList code) {
    String object = "L" + type.name + ";";
    code.add(new InsnNode(Opcodes.DUP));
    code.add(
        new MethodInsnNode(
            Opcodes.INVOKESTATIC, type.name, SHARED, "(" + object + ")" + ARRAY, false));
    String descriptor = "(Ljava/lang/Object;" + ARRAY + ")" + ARRAY;
    code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, OURS, "makeOwn", descriptor, false));
  }

  private MethodNode getter(FieldNode field) {
    MethodNode method = method(getter(field.name), field.desc);
    InsnList code = method.instructions;
    LabelNode own = new LabelNode();
    Type value = Type.getType(field.desc);
    code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    code.add(
        new MethodInsnNode(
            Opcodes.INVOKESTATIC, OURS, "own", "(Ljava/lang/Object;)" + ARRAY, false));
    code.add(new VarInsnNode(Opcodes.ASTORE, 1));
    code.add(new VarInsnNode(Opcodes.ALOAD, 1));
    code.add(new JumpInsnNode(Opcodes.IFNONNULL, own));
    code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    code.add(new FieldInsnNode(Opcodes.GETFIELD, type.name, field.name, field.desc));
    code.add(new InsnNode(value.getOpcode(Opcodes.IRETURN)));
    code.add(own);
    code.add(frame(type.name, ARRAY));
    code.add(new VarInsnNode(Opcodes.ALOAD, 1));
    code.add(new LdcInsnNode(fields.indexOf(field.name)));
    code.add(new InsnNode(Opcodes.AALOAD));
    Boxes.unbox(code, value);
    code.add(new InsnNode(value.getOpcode(Opcodes.IRETURN)));
    return method;
  }

  private MethodNode setter(FieldNode field) {
    Type value = Type.getType(field.desc);
    MethodNode method =
        new MethodNode(
            HELPER, setter(field.name), "(L" + type.name + ";" + field.desc + ")V", null, null);
    InsnList code = method.instructions;
    LabelNode own = new LabelNode();
    int array = 1 + value.getSize();
    code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    makeOwn(code);
    code.add(new VarInsnNode(Opcodes.ASTORE, array));
    code.add(new VarInsnNode(Opcodes.ALOAD, array));
    code.add(new JumpInsnNode(Opcodes.IFNONNULL, own));
    code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    code.add(new VarInsnNode(value.getOpcode(Opcodes.ILOAD), 1));
    code.add(new FieldInsnNode(Opcodes.PUTFIELD, type.name, field.name, field.desc));
    code.add(new InsnNode(Opcodes.RETURN));
    code.add(own);
    code.add(frame(type.name, Boxes.frameType(value), ARRAY));
    code.add(new VarInsnNode(Opcodes.ALOAD, array));
    code.add(new LdcInsnNode(fields.indexOf(field.name)));
    code.add(new VarInsnNode(value.getOpcode(Opcodes.ILOAD), 1));
    Boxes.box(code, value);
    code.add(new InsnNode(Opcodes.AASTORE));
    code.add(new InsnNode(Opcodes.RETURN));
    return method;
  }

  private MethodNode shared() {
    MethodNode method = method(SHARED, ARRAY);
    InsnList code = method.instructions;
    code.add(new LdcInsnNode(fields.size()));
    code.add(new TypeInsnNode(Opcodes.ANEWARRAY, "java/lang/Object"));
    for (int i = 0; i < fields.size(); i++) {
      FieldNode field = field(fields.get(i));
      code.add(new InsnNode(Opcodes.DUP));
      code.add(new LdcInsnNode(i));
      code.add(new VarInsnNode(Opcodes.ALOAD, 0));
      code.add(new FieldInsnNode(Opcodes.GETFIELD, type.name, field.name, field.desc));
      Boxes.box(code, Type.getType(field.desc));
      code.add(new InsnNode(Opcodes.AASTORE));
    }
    code.add(new InsnNode(Opcodes.ARETURN));
    return method;
  }

  private MethodNode method(String name, String result) {
    return new MethodNode(HELPER, name, "(L" + type.name + ";)" + result, null, null);
  }

  private static FrameNode frame(Object... locals) {
    return new FrameNode(Opcodes.F_NEW, locals.length, locals, 0, new Object[0]);
  }
}
