// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.nio.charset.StandardCharsets;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Has the initialiser of a shared class act for the engine, whichever task's thread runs it: what
 * it computes is all tasks', so it must not be made of what the first of them has set. All other
 * methods are taken over as they are.
 */
final class SharedInitializer {

  private static final String INITIALIZER = "<clinit>";
  private static final byte[] NAME = INITIALIZER.getBytes(StandardCharsets.US_ASCII);
  private static final String OURS = Type.getInternalName(TaskStatics.class);

  /** Asked before a class is parsed, as most have none. */
  static boolean isThere(byte[] code) {
    for (int i = 0; i <= code.length - NAME.length; i++) {
      int same = 0;
      while (same < NAME.length && code[i + same] == NAME[same]) {
        same++;
      }
      if (same == NAME.length) {
        return true;
      }
    }
    return false;
  }

  /** The class with its initialiser wrapped. */
  static byte[] wrap(byte[] code) {
    ClassReader reader;
    try {
      reader = new ClassReader(code);
    } catch (IllegalArgumentException newerThanUs) {
      // Newer than ASM, so newer than this JVM too, which says so.
      return code;
    }
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          private boolean framed;

          @Override
          public void visit(
              int version, int access, String name, String sign, String parent, String[] faces) {
            framed = (version & 0xffff) >= Opcodes.V1_6;
            super.visit(version, access, name, sign, parent, faces);
          }

          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor to = super.visitMethod(access, name, descriptor, signature, exceptions);
            boolean isIt = name.equals(INITIALIZER) && (access & Opcodes.ACC_STATIC) != 0;
            return isIt ? new Wrapper(to, framed) : to;
          }
        },
        0);
    return writer.toByteArray();
  }

  private SharedInitializer() {}

  private static final class Wrapper extends MethodVisitor {
    private final boolean framed;
    private final Label start = new Label();

    Wrapper(MethodVisitor to, boolean framed) {
      super(Opcodes.ASM9, to);
      this.framed = framed;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      call("enterInitializer");
      super.visitLabel(start);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN) {
        call("leaveInitializer");
      }
      super.visitInsn(opcode);
    }

    @Override
    public void visitMaxs(int stack, int locals) {
      Label end = new Label();
      super.visitLabel(end);
      // Last of all, so that the initialiser's own handlers come first.
      super.visitTryCatchBlock(start, end, end, null);
      if (framed) {
        super.visitFrame(Opcodes.F_FULL, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"});
      }
      call("leaveInitializer");
      super.visitInsn(Opcodes.ATHROW);
      super.visitMaxs(Math.max(stack, 1), locals);
    }

    private void call(String name) {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, OURS, name, "()V", false);
    }
  }
}
