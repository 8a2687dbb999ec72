// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.function.BinaryOperator;
import org.mammoth.engine.isolation.CommonPoolThreads;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.LoaderCalls;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Has the JDK ask for what is a process's own where its own code ends the JVM, or makes a thread:
 * no call can be rewritten there. Whoever ends the JVM, by reflection or within the JDK, ends the
 * calling task. What a thread of the common pool makes while it works for a task is that task's. A
 * thread of a fork-join pool has a process's loader of all classes. And the loader of shared
 * classes begins with none where the stack has no room for it: it fails, as it may anywhere. A
 * little later the JVM could not call the engine's agent, and would use the class as it is.
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
  private static final String ROOM = "room";

  /**
   * Calls of {@link #room}, each of 100 to 250 bytes: more than the JVM's way to an agent takes.
   */
  private static final int CALLS = 150;

  private static final JdkQuestions JDK = new JdkQuestions("MammothProcess");

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
  private record Question(String owner, String method, String call, String key) {}

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
              LOADER),
          new Question(
              "jdk/internal/loader/BuiltinClassLoader",
              "loadClassOrNull",
              "jdk/internal/loader/BuiltinClassLoader.getClassLoadingLock",
              ROOM));

  private ProcessHook() {}

  /**
   * Changes the JDK's methods, for the life of the JVM.
   *
   * @return null, or why it could not be done
   */
  public static String install(Instrumentation instrumentation) {
    try {
      return JDK.install(instrumentation, ProcessHook::patched, Set.copyOf(QUESTIONS), asking());
    } catch (ClassNotFoundException e) {
      return e.toString();
    }
  }

  private static MethodVisitor patched(String method, MethodVisitor next, Set<Object> asked) {
    return QUESTIONS.stream()
        .filter(each -> method.startsWith(each.owner + '.' + each.method + '('))
        .findFirst()
        .map(each -> (MethodVisitor) new Asking(next, each, asked))
        .orElse(next);
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
    answer(ROOM, null);
    try {
      BinaryOperator<Object> answers = ProcessHook::answer;
      JDK.answers().set(null, answers);
      return JDK.isComplete();
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
    if (ROOM.equals(key)) {
      room(CALLS, 1, 1, 1, 1, 1, 1, 1);
      return about;
    }
    TaskProcess task = Owners.callerOrNull();
    if (task != null) {
      task.requestExit((Integer) about, HALT.equals(key));
    }
    return about;
  }

  /** Takes some of the stack for a moment; what it is given makes each call take enough. */
  private static long room(int calls, long a, long b, long c, long d, long e, long f, long g) {
    return calls == 0 ? a : room(calls - 1, b, c, d, e, f, g, a) + a + b + c + d + e + f + g;
  }

  /** Puts a question into a method. */
  private static final class Asking extends MethodVisitor {
    private final Question question;
    private final Set<Object> asked;

    Asking(MethodVisitor next, Question question, Set<Object> asked) {
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
      JDK.ask(mv);
    }
  }
}
