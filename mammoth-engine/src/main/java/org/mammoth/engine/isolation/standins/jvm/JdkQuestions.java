// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Changes methods of the JDK so that they ask for what is a task's own: {@link DefaultsHook} and
 * {@link ProcessHook} say which, where, and what is answered. A class of the JDK's own package
 * holds who answers; while nobody does, the methods do what they do anywhere. Immutable.
 */
final class JdkQuestions {

  private static final String FIELD = "answers";
  private static final String ASK = "ask";

  /** Whether all questions are asked. */
  private static final String COMPLETE = "isComplete";

  private static final String OPERATOR = Type.getDescriptor(BinaryOperator.class);
  private static final String ASKED = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";

  /** Puts questions into a class. */
  interface Patch {

    /**
     * Puts them into a method.
     *
     * @param method its class, name and descriptor, as in {@code java/util/Locale.getDefault()V}
     * @param next writes the method
     * @param asked takes each question that the method has been given
     * @return {@code next}, if the method asks nothing
     */
    MethodVisitor method(String method, MethodVisitor next, Set<Object> asked);
  }

  private final String name;
  private final String internal;

  /**
   * @param simpleName of the class in {@code java.util} that holds who answers
   */
  JdkQuestions(String simpleName) {
    name = "java.util." + simpleName;
    internal = name.replace('.', '/');
  }

  /**
   * Changes the JDK's methods, for the life of the JVM.
   *
   * @param all questions, each of which has to find its place
   * @return null, or why it could not be done
   */
  String install(Instrumentation instrumentation, Patch patch, Set<?> all, Class<?>... classes) {
    Set<Object> asked = new HashSet<>();
    ClassFileTransformer transformer =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader,
              String className,
              Class<?> known,
              ProtectionDomain domain,
              byte[] code) {
            return loader == null && known != null ? patched(code, patch, asked) : null;
          }
        };
    try {
      Class<?> holder =
          MethodHandles.privateLookupIn(Locale.class, MethodHandles.lookup()).defineClass(holder());
      instrumentation.addTransformer(transformer, true);
      instrumentation.retransformClasses(classes);
      if (!asked.equals(all)) {
        return "the JDK asks only " + asked;
      }
      holder.getField(COMPLETE).setBoolean(null, true);
      return null;
    } catch (ReflectiveOperationException
        | UnmodifiableClassException
        | UnsupportedOperationException
        | LinkageError e) {
      return e.toString();
    } finally {
      instrumentation.removeTransformer(transformer);
    }
  }

  /**
   * What holds a {@code BinaryOperator} that answers, or null: of a question and what it is about.
   */
  Field answers() throws ReflectiveOperationException {
    return holderOfJvm().getField(FIELD);
  }

  /** Whether the JVM asks all. */
  boolean isComplete() throws ReflectiveOperationException {
    return holderOfJvm().getField(COMPLETE).getBoolean(null);
  }

  private Class<?> holderOfJvm() throws ClassNotFoundException {
    return Class.forName(name, false, null);
  }

  /**
   * Has a method ask. The question and what it is about are on the stack, and the answer is after
   * it; while nobody answers, what it is about.
   */
  void ask(MethodVisitor method) {
    method.visitMethodInsn(Opcodes.INVOKESTATIC, internal, ASK, ASKED, false);
  }

  private byte[] holder() {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;
    writer.visit(
        Opcodes.V11,
        Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL,
        internal,
        null,
        "java/lang/Object",
        null);
    writer.visitField(access | Opcodes.ACC_VOLATILE, FIELD, OPERATOR, null, null).visitEnd();
    writer.visitField(access, COMPLETE, "Z", null, null).visitEnd();
    MethodVisitor ask = writer.visitMethod(access, ASK, ASKED, null, null);
    Label nobody = new Label();
    ask.visitCode();
    ask.visitFieldInsn(Opcodes.GETSTATIC, internal, FIELD, OPERATOR);
    ask.visitInsn(Opcodes.DUP);
    ask.visitJumpInsn(Opcodes.IFNULL, nobody);
    ask.visitVarInsn(Opcodes.ALOAD, 0);
    ask.visitVarInsn(Opcodes.ALOAD, 1);
    ask.visitMethodInsn(
        Opcodes.INVOKEINTERFACE, Type.getInternalName(BinaryOperator.class), "apply", ASKED, true);
    ask.visitInsn(Opcodes.ARETURN);
    ask.visitLabel(nobody);
    ask.visitFrame(
        Opcodes.F_SAME1, 0, null, 1, new Object[] {Type.getInternalName(BinaryOperator.class)});
    ask.visitInsn(Opcodes.POP);
    ask.visitVarInsn(Opcodes.ALOAD, 1);
    ask.visitInsn(Opcodes.ARETURN);
    ask.visitMaxs(0, 0);
    ask.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static byte[] patched(byte[] code, Patch patch, Set<Object> asked) {
    ClassReader reader = new ClassReader(code);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            return patch.method(reader.getClassName() + '.' + name + descriptor, next, asked);
          }
        },
        0);
    return writer.toByteArray();
  }
}
