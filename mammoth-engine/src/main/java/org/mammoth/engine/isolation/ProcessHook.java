// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.function.BinaryOperator;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Has the JDK ask for what is a process's own where its own code ends the JVM, or makes a thread:
 * no call can be rewritten there. Whoever ends the JVM, by reflection or within the JDK, ends the
 * calling task. What a thread of the common pool makes while it works for a task is that task's. A
 * thread of a fork-join pool has a process's loader of all classes.
 *
 * <p>A SecurityManager would be asked for the first two, but changes what else the JDK does: names
 * are looked up once and for all, XML cannot call Java, the JDK's pools have other threads. And
 * later JVMs have none.
 *
 * <p>The methods are changed as the JVM starts. Until the engine {@link #begin begins} they do what
 * they do anywhere. Stateless, thread-safe.
 */
public final class ProcessHook {
  private static final String EXIT = "exit";
  private static final String HALT = "halt";
  private static final String GROUP = "group";
  private static final String LOADER = "loader";

  private static final String NAME = "java.util.MammothProcess";
  private static final String INTERNAL = NAME.replace('.', '/');
  private static final String FIELD = "answers";
  private static final String ASK = "ask";

  /** Whether all questions are asked. */
  private static final String COMPLETE = "isComplete";

  private static final String OPERATOR = Type.getDescriptor(BinaryOperator.class);
  private static final String ASKED = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";

  private static final String CONSTRUCTORS = "<init>";
  private static final String OWN_GROUP = "java/lang/Thread.getThreadGroup";
  private static final String SYSTEM_LOADER = "java/lang/ClassLoader.getSystemClassLoader";

  /**
   * What is asked.
   *
   * @param owner whose code asks
   * @param method its name there
   * @param call after which it is asked, with what that has answered; empty for a method's begin,
   *     with the method's number
   */
  private record Question(String owner, String method, String call, String key) {
    boolean isOf(String owner, String method) {
      return this.owner.equals(owner) && this.method.equals(method);
    }
  }

  private static final List<Question> QUESTIONS =
      List.of(
          new Question("java/lang/Runtime", "exit", "", EXIT),
          new Question("java/lang/Runtime", "halt", "", HALT),
          new Question("java/lang/Thread", CONSTRUCTORS, OWN_GROUP, GROUP),
          new Question("java/lang/ThreadGroup", CONSTRUCTORS, OWN_GROUP, GROUP),
          new Question(
              "java/util/concurrent/Executors$DefaultThreadFactory",
              CONSTRUCTORS,
              OWN_GROUP,
              GROUP),
          new Question(
              Type.getInternalName(ForkJoinWorkerThread.class),
              CONSTRUCTORS,
              SYSTEM_LOADER,
              LOADER));

  private ProcessHook() {}

  /**
   * Changes the JDK's methods, for the life of the JVM.
   *
   * @return null, or why it could not be done
   */
  public static String install(Instrumentation instrumentation) {
    Set<Question> asked = new HashSet<>();
    ClassFileTransformer patch =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader,
              String name,
              Class<?> known,
              ProtectionDomain domain,
              byte[] code) {
            return loader == null && known != null ? patch(code, asked) : null;
          }
        };
    try {
      Class<?> holder =
          MethodHandles.privateLookupIn(Locale.class, MethodHandles.lookup()).defineClass(holder());
      instrumentation.addTransformer(patch, true);
      instrumentation.retransformClasses(asking());
      if (!asked.containsAll(QUESTIONS)) {
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
      instrumentation.removeTransformer(patch);
    }
  }

  private static Class<?>[] asking() throws ClassNotFoundException {
    List<String> names = QUESTIONS.stream().map(Question::owner).distinct().toList();
    Class<?>[] classes = new Class<?>[names.size()];
    for (int i = 0; i < classes.length; i++) {
      classes[i] = Class.forName(names.get(i).replace('/', '.'), false, null);
    }
    return classes;
  }

  /**
   * Answers from now on.
   *
   * @return whether all is asked in this JVM
   */
  public static boolean begin() {
    // Loaded now: an answer itself must not need classes.
    Owners.callerOrNull();
    answer(GROUP, Thread.currentThread().getThreadGroup());
    answer(LOADER, null);
    try {
      Class<?> holder = Class.forName(NAME, false, null);
      BinaryOperator<Object> answers = ProcessHook::answer;
      holder.getField(FIELD).set(null, answers);
      return holder.getField(COMPLETE).getBoolean(null);
    } catch (ReflectiveOperationException isNotThere) {
      return false;
    }
  }

  /** What the JDK's code is to go on with; does not return where a task is ended. */
  private static Object answer(Object key, Object about) {
    if (GROUP.equals(key)) {
      return CommonPoolThreads.groupFor((ThreadGroup) about);
    }
    if (LOADER.equals(key)) {
      return LoaderCalls.getSystemClassLoader();
    }
    TaskProcess task = Owners.callerOrNull();
    if (task != null) {
      task.requestExit((Integer) about, HALT.equals(key));
    }
    return about;
  }

  /** A class that holds who answers, and asks him if there is one. */
  private static byte[] holder() {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;
    writer.visit(
        Opcodes.V11,
        Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL,
        INTERNAL,
        null,
        "java/lang/Object",
        null);
    writer.visitField(access | Opcodes.ACC_VOLATILE, FIELD, OPERATOR, null, null).visitEnd();
    writer.visitField(access, COMPLETE, "Z", null, null).visitEnd();
    MethodVisitor ask = writer.visitMethod(access, ASK, ASKED, null, null);
    Label nobody = new Label();
    ask.visitCode();
    ask.visitFieldInsn(Opcodes.GETSTATIC, INTERNAL, FIELD, OPERATOR);
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

  private static byte[] patch(byte[] code, Set<Question> asked) {
    ClassReader reader = new ClassReader(code);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            return QUESTIONS.stream()
                .filter(each -> each.isOf(reader.getClassName(), name))
                .findFirst()
                .map(each -> (MethodVisitor) new Asking(next, each, asked))
                .orElse(next);
          }
        },
        0);
    return writer.toByteArray();
  }

  /** Puts a question into a method. */
  private static final class Asking extends MethodVisitor {
    private final Question question;
    private final Set<Question> asked;

    Asking(MethodVisitor next, Question question, Set<Question> asked) {
      super(Opcodes.ASM9, next);
      this.question = question;
      this.asked = asked;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (question.call.isEmpty()) {
        super.visitLdcInsn(question.key);
        super.visitVarInsn(Opcodes.ILOAD, 1);
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC, "java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;", false);
        ask();
        super.visitInsn(Opcodes.POP);
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      if (question.call.equals(owner + '.' + name)) {
        super.visitLdcInsn(question.key);
        super.visitInsn(Opcodes.SWAP);
        ask();
        super.visitTypeInsn(Opcodes.CHECKCAST, Type.getReturnType(descriptor).getInternalName());
      }
    }

    private void ask() {
      asked.add(question);
      super.visitMethodInsn(Opcodes.INVOKESTATIC, INTERNAL, ASK, ASKED, false);
    }
  }
}
