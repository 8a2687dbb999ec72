// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Methods that a class gets for its method references: a reference can name one method only, and a
 * call may be rewritten to more. Each does the plain call, which is then rewritten as any other.
 * For one class, by one thread.
 */
final class ReferenceBridges {
  private static final String PREFIX = "mammoth$reference$";
  private static final String INIT = "<init>";

  /** What a rewritten call has on the stack besides the object and the arguments. */
  private static final int EXTRA_STACK = 2;

  /** What is called, and what the bridge takes for it. */
  private record Call(Handle reference, String descriptor) {}

  private final String owner;
  private final boolean isInterface;
  private final Map<Call, Handle> bridges = new LinkedHashMap<>();

  /** For a class, by its internal name. */
  ReferenceBridges(String owner, boolean isInterface) {
    this.owner = owner;
    this.isInterface = isInterface;
  }

  /** The type of the object that a lambda is bound to, or null; by what makes the lambda. */
  static Type receiver(String lambda) {
    Type[] captured = Type.getArgumentTypes(lambda);
    return captured.length == 0 ? null : captured[0];
  }

  /**
   * What a static method takes and returns that stands for a reference.
   *
   * @param receiver the type of the object that it is bound to, or null
   */
  static String descriptor(Handle reference, Type receiver) {
    Type result = Type.getReturnType(reference.getDesc());
    Type[] arguments = Type.getArgumentTypes(reference.getDesc());
    Type owner = Type.getObjectType(reference.getOwner());
    switch (reference.getTag()) {
      case Opcodes.H_NEWINVOKESPECIAL:
        return Type.getMethodDescriptor(owner, arguments);
      case Opcodes.H_INVOKEVIRTUAL:
      case Opcodes.H_INVOKEINTERFACE:
        Type[] all = new Type[arguments.length + 1];
        all[0] = receiver == null ? owner : receiver;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Type.getMethodDescriptor(result, all);
      default:
        return reference.getDesc();
    }
  }

  /** The method to refer to instead. */
  Handle of(Handle reference, Type receiver) {
    String descriptor = descriptor(reference, receiver);
    return bridges.computeIfAbsent(
        new Call(reference, descriptor),
        each ->
            new Handle(
                Opcodes.H_INVOKESTATIC, owner, PREFIX + bridges.size(), descriptor, isInterface));
  }

  /**
   * Adds the methods to the class.
   *
   * @param patch what rewrites a method's code
   */
  void write(ClassVisitor to, UnaryOperator<MethodVisitor> patch) {
    int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
    bridges.forEach(
        (call, bridge) -> {
          String name = bridge.getName();
          MethodVisitor code = to.visitMethod(access, name, bridge.getDesc(), null, null);
          write(call.reference(), bridge, patch.apply(code));
        });
  }

  private static void write(Handle reference, Handle bridge, MethodVisitor code) {
    code.visitCode();
    boolean makes = reference.getTag() == Opcodes.H_NEWINVOKESPECIAL;
    if (makes) {
      code.visitTypeInsn(Opcodes.NEW, reference.getOwner());
      code.visitInsn(Opcodes.DUP);
    }
    int local = 0;
    for (Type argument : Type.getArgumentTypes(bridge.getDesc())) {
      code.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), local);
      local += argument.getSize();
    }
    Type result = Type.getReturnType(bridge.getDesc());
    code.visitMethodInsn(
        opcode(reference.getTag()),
        reference.getOwner(),
        makes ? INIT : reference.getName(),
        reference.getDesc(),
        reference.isInterface());
    code.visitInsn(result.getOpcode(Opcodes.IRETURN));
    code.visitMaxs(local + EXTRA_STACK + result.getSize(), local);
    code.visitEnd();
  }

  private static int opcode(int tag) {
    return switch (tag) {
      case Opcodes.H_NEWINVOKESPECIAL -> Opcodes.INVOKESPECIAL;
      case Opcodes.H_INVOKEVIRTUAL -> Opcodes.INVOKEVIRTUAL;
      case Opcodes.H_INVOKEINTERFACE -> Opcodes.INVOKEINTERFACE;
      default -> Opcodes.INVOKESTATIC;
    };
  }
}
