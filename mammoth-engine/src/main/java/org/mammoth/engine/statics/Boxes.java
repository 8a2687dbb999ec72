// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** Code that turns a value into an object and back. Stateless. */
final class Boxes {

  private static final Map<Integer, String> BOXES =
      Map.of(
          Type.BOOLEAN, "java/lang/Boolean",
          Type.BYTE, "java/lang/Byte",
          Type.SHORT, "java/lang/Short",
          Type.CHAR, "java/lang/Character",
          Type.INT, "java/lang/Integer",
          Type.LONG, "java/lang/Long",
          Type.FLOAT, "java/lang/Float",
          Type.DOUBLE, "java/lang/Double");

  private Boxes() {}

  static void box(InsnList code, Type type) {
    String box = BOXES.get(type.getSort());
    if (box != null) {
      String descriptor = "(" + type.getDescriptor() + ")L" + box + ";";
      code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, box, "valueOf", descriptor, false));
    }
  }

  static void unbox(InsnList code, Type type) {
    String box = BOXES.get(type.getSort());
    code.add(new TypeInsnNode(Opcodes.CHECKCAST, box == null ? type.getInternalName() : box));
    if (box != null) {
      String method = type.getClassName() + "Value";
      code.add(
          new MethodInsnNode(
              Opcodes.INVOKEVIRTUAL, box, method, "()" + type.getDescriptor(), false));
    }
  }

  /** How a stack map frame names a local variable of the type. */
  static Object frameType(Type type) {
    switch (type.getSort()) {
      case Type.LONG:
        return Opcodes.LONG;
      case Type.FLOAT:
        return Opcodes.FLOAT;
      case Type.DOUBLE:
        return Opcodes.DOUBLE;
      case Type.ARRAY:
      case Type.OBJECT:
        return type.getInternalName();
      default:
        return Opcodes.INTEGER;
    }
  }
}
