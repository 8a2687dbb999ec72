// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.function.BinaryOperator;
import org.mammoth.engine.isolation.TaskProcess;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Has the JDK ask for the default locale and time zone of the task whose thread asks. All of the
 * JDK's code takes them from three methods, and no call can be rewritten there, so these methods
 * themselves are: they look first whether any task of this JVM has defaults of its own. A class of
 * the JDK's own package holds who answers; until a task sets one, nobody does.
 *
 * <p>Where a JVM does not allow it, a task that sets a default needs a process. Thread-safe.
 */
public final class DefaultsHook {
  /** What the locale of all categories is asked for by. */
  static final String LOCALE = "locale";

  /** What the time zone is asked for by. */
  static final String ZONE = "zone";

  private static final JdkQuestions QUESTIONS = new JdkQuestions("MammothDefaults");

  /** Where it is asked first, and what for; empty for what the method's first argument is. */
  private static final Map<String, String> ASKED =
      Map.of(
          "java/util/Locale.getDefault()Ljava/util/Locale;", LOCALE,
          "java/util/Locale.getDefault(Ljava/util/Locale$Category;)Ljava/util/Locale;", "",
          "java/util/TimeZone.getDefaultRef()Ljava/util/TimeZone;", ZONE);

  /** Found when first asked: most tasks set no default. */
  private static final class Installed {
    static final DefaultsHook HOOK = find();

    private static DefaultsHook find() {
      try {
        return QUESTIONS.isComplete() ? new DefaultsHook(QUESTIONS.answers()) : null;
      } catch (ReflectiveOperationException isNotThere) {
        return null;
      }
    }
  }

  private final Field answers;

  /** The processes with defaults of their own. Guarded by this. */
  private final Set<TaskProcess> asked = new HashSet<>();

  private DefaultsHook(Field answers) {
    this.answers = answers;
  }

  /** The JVM's, or null if it has none. */
  static DefaultsHook installedOrNull() {
    return Installed.HOOK;
  }

  /** The defaults of a process, which the JDK asks for from now on until the process ends. */
  TaskDefaults of(TaskProcess process) {
    synchronized (this) {
      if (asked.add(process)) {
        process.atClose(() -> forget(process));
        answer();
      }
    }
    return TaskDefaults.of(process);
  }

  private synchronized void forget(TaskProcess process) {
    asked.remove(process);
    answer();
  }

  private void answer() {
    BinaryOperator<Object> who =
        asked.isEmpty() ? null : (key, nothing) -> TaskDefaults.ofCaller(key);
    try {
      answers.set(null, who);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Changes the JDK's methods, for the life of the JVM.
   *
   * @return null, or why it could not be done
   */
  public static String install(Instrumentation instrumentation) {
    return QUESTIONS.install(
        instrumentation, DefaultsHook::patched, ASKED.keySet(), Locale.class, TimeZone.class);
  }

  private static MethodVisitor patched(String method, MethodVisitor next, Set<Object> asked) {
    String key = ASKED.get(method);
    if (key == null) {
      return next;
    }
    asked.add(method);
    return new Asking(next, key, method.substring(method.indexOf('(')));
  }

  /** Asks at a method's beginning, and returns the answer if there is one. */
  private static final class Asking extends MethodVisitor {
    private final String key;
    private final String descriptor;

    Asking(MethodVisitor next, String key, String descriptor) {
      super(Opcodes.ASM9, next);
      this.key = key;
      this.descriptor = descriptor;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      String result = Type.getReturnType(descriptor).getInternalName();
      Label own = new Label();
      if (key.isEmpty()) {
        super.visitVarInsn(Opcodes.ALOAD, 0);
      } else {
        super.visitLdcInsn(key);
      }
      super.visitInsn(Opcodes.ACONST_NULL);
      QUESTIONS.ask(mv);
      super.visitTypeInsn(Opcodes.CHECKCAST, result);
      super.visitInsn(Opcodes.DUP);
      super.visitJumpInsn(Opcodes.IFNULL, own);
      super.visitInsn(Opcodes.ARETURN);
      super.visitLabel(own);
      super.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {result});
      super.visitInsn(Opcodes.POP);
    }
  }
}
