// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Has a static method by which shared classes make themselves known, {@code
 * WritableComparator.define} for one, do so for every process: a process of its own would have
 * initialised those classes itself.
 */
final class AnnouncedMethod {

  private static final String PREFIX = "mammoth$once$";
  private static final String OURS = Type.getInternalName(TaskStatics.class);
  private static final String ITERATOR = "java/util/Iterator";

  private AnnouncedMethod() {}

  /**
   * Renames a method and gives another its name.
   *
   * @param owner of the method
   * @return the other: calls the renamed one, and again for each process if it is to be announced
   */
  static MethodNode split(String owner, MethodNode method) {
    Type[] arguments = Type.getArgumentTypes(method.desc);
    if ((method.access & Opcodes.ACC_STATIC) == 0
        || Type.getReturnType(method.desc) != Type.VOID_TYPE) {
      throw new IllegalStateException(owner + "." + method.name + " is no static void method");
    }
    MethodNode all =
        new MethodNode(
            method.access,
            method.name,
            method.desc,
            method.signature,
            method.exceptions.toArray(new String[0]));
    all.visibleAnnotations = method.visibleAnnotations;
    method.visibleAnnotations = null;
    method.name = PREFIX + method.name;
    method.access =
        Opcodes.ACC_PRIVATE
            | Opcodes.ACC_STATIC
            | Opcodes.ACC_SYNTHETIC
            | method.access & Opcodes.ACC_SYNCHRONIZED;

    List<Object> locals = new ArrayList<>();
    Arrays.stream(arguments).map(Boxes::frameType).forEach(locals::add);
    int iterator = Arrays.stream(arguments).mapToInt(Type::getSize).sum();
    LabelNode next = new LabelNode();
    LabelNode end = new LabelNode();
    InsnList code = all.instructions;
    once(code, owner, method, arguments, false);
    code.add(
        new MethodInsnNode(
            Opcodes.INVOKESTATIC, OURS, "announcement", "()L" + ITERATOR + ";", false));
    code.add(new VarInsnNode(Opcodes.ASTORE, iterator));
    locals.add(ITERATOR);
    code.add(next);
    code.add(new FrameNode(Opcodes.F_NEW, locals.size(), locals.toArray(), 0, new Object[0]));
    code.add(new VarInsnNode(Opcodes.ALOAD, iterator));
    code.add(new MethodInsnNode(Opcodes.INVOKEINTERFACE, ITERATOR, "hasNext", "()Z", true));
    code.add(new JumpInsnNode(Opcodes.IFEQ, end));
    code.add(new VarInsnNode(Opcodes.ALOAD, iterator));
    code.add(
        new MethodInsnNode(
            Opcodes.INVOKEINTERFACE, ITERATOR, "next", "()Ljava/lang/Object;", true));
    code.add(new InsnNode(Opcodes.POP));
    once(code, owner, method, arguments, true);
    code.add(new JumpInsnNode(Opcodes.GOTO, next));
    code.add(end);
    code.add(new FrameNode(Opcodes.F_NEW, locals.size(), locals.toArray(), 0, new Object[0]));
    code.add(new InsnNode(Opcodes.RETURN));
    return all;
  }

  /**
   * A call of the renamed method.
   *
   * @param copies whether it is called with copies of the arguments, as no two processes have one
   *     comparator, whose configuration can be set
   */
  private static void once(
      InsnList code, String owner, MethodNode method, Type[] arguments, boolean copies) {
    int local = 0;
    for (Type argument : arguments) {
      code.add(new VarInsnNode(argument.getOpcode(Opcodes.ILOAD), local));
      if (copies && argument.getSort() >= Type.ARRAY) {
        String copy = "(Ljava/lang/Object;)Ljava/lang/Object;";
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, OURS, "copy", copy, false));
        code.add(new TypeInsnNode(Opcodes.CHECKCAST, argument.getInternalName()));
      }
      local += argument.getSize();
    }
    code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, owner, method.name, method.desc, false));
  }
}
