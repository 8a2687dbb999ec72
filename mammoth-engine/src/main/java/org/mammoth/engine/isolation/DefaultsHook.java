// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.function.UnaryOperator;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
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

  private static final String NAME = "java.util.MammothDefaults";
  private static final String INTERNAL = NAME.replace('.', '/');
  private static final String FIELD = "of";

  /** Whether all of the methods ask. */
  private static final String COMPLETE = "isComplete";

  private static final String OPERATOR = Type.getDescriptor(UnaryOperator.class);

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
        Class<?> holder = Class.forName(NAME, false, null);
        return holder.getField(COMPLETE).getBoolean(null)
            ? new DefaultsHook(holder.getField(FIELD))
            : null;
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
    UnaryOperator<Object> who = asked.isEmpty() ? null : TaskDefaults::ofCaller;
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
    Set<String> patched = new HashSet<>();
    ClassFileTransformer patch =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader,
              String name,
              Class<?> known,
              ProtectionDomain domain,
              byte[] code) {
            return loader == null && known != null ? patch(code, patched) : null;
          }
        };
    try {
      Class<?> holder =
          MethodHandles.privateLookupIn(Locale.class, MethodHandles.lookup()).defineClass(holder());
      instrumentation.addTransformer(patch, true);
      instrumentation.retransformClasses(Locale.class, TimeZone.class);
      if (!patched.equals(ASKED.keySet())) {
        return "of the JDK's methods there are only " + patched;
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
    MethodVisitor ask =
        writer.visitMethod(access, "ask", "(Ljava/lang/Object;)Ljava/lang/Object;", null, null);
    Label nobody = new Label();
    ask.visitCode();
    ask.visitFieldInsn(Opcodes.GETSTATIC, INTERNAL, FIELD, OPERATOR);
    ask.visitInsn(Opcodes.DUP);
    ask.visitJumpInsn(Opcodes.IFNULL, nobody);
    ask.visitVarInsn(Opcodes.ALOAD, 0);
    ask.visitMethodInsn(
        Opcodes.INVOKEINTERFACE,
        Type.getInternalName(UnaryOperator.class),
        "apply",
        "(Ljava/lang/Object;)Ljava/lang/Object;",
        true);
    ask.visitInsn(Opcodes.ARETURN);
    ask.visitLabel(nobody);
    ask.visitFrame(
        Opcodes.F_SAME1, 0, null, 1, new Object[] {Type.getInternalName(UnaryOperator.class)});
    ask.visitInsn(Opcodes.POP);
    ask.visitInsn(Opcodes.ACONST_NULL);
    ask.visitInsn(Opcodes.ARETURN);
    ask.visitMaxs(0, 0);
    ask.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static byte[] patch(byte[] code, Set<String> patched) {
    ClassReader reader = new ClassReader(code);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            String method = reader.getClassName() + '.' + name + descriptor;
            if (!ASKED.containsKey(method)) {
              return next;
            }
            patched.add(method);
            return new Asking(next, ASKED.get(method), descriptor);
          }
        },
        0);
    return writer.toByteArray();
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
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC, INTERNAL, "ask", "(Ljava/lang/Object;)Ljava/lang/Object;", false);
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
