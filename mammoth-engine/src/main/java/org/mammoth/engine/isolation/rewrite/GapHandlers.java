// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedActionException;
import java.util.HashSet;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Has each handler that may catch the lack of a class ask {@link SharedGap} first, so that no code
 * goes on without a class that it would have had in a process. For one method, one thread.
 */
final class GapHandlers extends MethodVisitor {
  /** What the JVM, or the JDK's reflection around it, throws for want of a class; and its kin. */
  private static final Set<String> CAUGHT = new HashSet<>();

  static {
    for (Class<?> thrown :
        new Class<?>[] {
          NoClassDefFoundError.class,
          ClassNotFoundException.class,
          ExceptionInInitializerError.class,
          BootstrapMethodError.class,
          InvocationTargetException.class,
          UndeclaredThrowableException.class,
          ExecutionException.class,
          CompletionException.class,
          PrivilegedActionException.class,
          ServiceConfigurationError.class
        }) {
      for (Class<?> each = thrown; each != Object.class; each = each.getSuperclass()) {
        CAUGHT.add(Type.getInternalName(each));
      }
    }
  }

  private static final int CLASS = 7;

  private final Set<Label> handlers = new HashSet<>();
  private boolean atHandler;

  GapHandlers(MethodVisitor next) {
    super(Opcodes.ASM9, next);
  }

  /** Whether a class may have such a handler: asked before its code is read. */
  static boolean mayBeIn(ClassReader reader) {
    char[] buffer = new char[reader.getMaxStringLength()];
    int count = reader.getItemCount();
    for (int i = 1; i < count; i++) {
      int offset = reader.getItem(i);
      if (offset != 0
          && reader.readByte(offset - 1) == CLASS
          && CAUGHT.contains(reader.readUTF8(offset, buffer))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
    // Without a type it is a "finally", which throws on what it has caught.
    if (type != null && CAUGHT.contains(type)) {
      handlers.add(handler);
    }
    super.visitTryCatchBlock(start, end, handler, type);
  }

  @Override
  public void visitLabel(Label label) {
    super.visitLabel(label);
    atHandler |= handlers.contains(label);
  }

  private void ask() {
    if (atHandler) {
      atHandler = false;
      super.visitInsn(Opcodes.DUP);
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          Type.getInternalName(SharedGap.class),
          "caught",
          "(Ljava/lang/Throwable;)V",
          false);
    }
  }

  @Override
  public void visitFrame(int type, int locals, Object[] local, int stack, Object[] onStack) {
    super.visitFrame(type, locals, local, stack, onStack);
    ask();
  }

  @Override
  public void visitInsn(int opcode) {
    ask();
    super.visitInsn(opcode);
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    ask();
    super.visitIntInsn(opcode, operand);
  }

  @Override
  public void visitVarInsn(int opcode, int local) {
    ask();
    super.visitVarInsn(opcode, local);
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    ask();
    super.visitTypeInsn(opcode, type);
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
    ask();
    super.visitFieldInsn(opcode, owner, name, descriptor);
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String name, String descriptor, boolean isInterface) {
    ask();
    super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
  }

  @Override
  public void visitInvokeDynamicInsn(
      String name, String descriptor, Handle bootstrap, Object... arguments) {
    ask();
    super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
  }

  @Override
  public void visitJumpInsn(int opcode, Label label) {
    ask();
    super.visitJumpInsn(opcode, label);
  }

  @Override
  public void visitLdcInsn(Object value) {
    ask();
    super.visitLdcInsn(value);
  }

  @Override
  public void visitIincInsn(int local, int increment) {
    ask();
    super.visitIincInsn(local, increment);
  }

  @Override
  public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
    ask();
    super.visitTableSwitchInsn(min, max, otherwise, labels);
  }

  @Override
  public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
    ask();
    super.visitLookupSwitchInsn(otherwise, keys, labels);
  }

  @Override
  public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
    ask();
    super.visitMultiANewArrayInsn(descriptor, dimensions);
  }
}
