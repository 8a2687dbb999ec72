package org.mammoth.engine.isolation;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;

/**
 * What rewritten code calls before it changes by reflection what it may not change by a call: a
 * static field of a class that all tasks share, or the JVM's settings. The task goes on in a
 * process of its own. Stateless, thread-safe.
 */
public final class ReflectCalls {

  private static final Set<Class<?>> ROOMS =
      Set.of(LocaleCalls.class, NetworkCalls.class, SecurityCalls.class, ManagementCalls.class);

  private static final Set<String> OF_SYSTEM =
      Set.of("setProperty", "setProperties", "clearProperty", "setOut", "setErr", "setIn");

  /** Built when first asked: few jobs call JDK methods by reflection. */
  private static final class Forbidden {
    static final CallTable CALLS = new CallTable(java.util.List.copyOf(ROOMS));
  }

  private ReflectCalls() {}

  /** Before {@code Field.set} and its like. */
  @Precedes(
      value = Field.class,
      names = {"set", "setBoolean", "setByte", "setChar", "setShort", "setInt", "setFloat"},
      receiver = true)
  public static void setting(Field field) {
    if (field != null
        && Modifier.isStatic(field.getModifiers())
        && !(field.getDeclaringClass().getClassLoader() instanceof TaskClassLoader)) {
      ProcessNeed.because(
          "Field.set of " + field.getDeclaringClass().getName() + "." + field.getName());
    }
  }

  /** Before {@code Field.get}: of a map or list of a shared class it may be to change it. */
  @Precedes(value = Field.class, names = "get", receiver = true)
  public static void getting(Field field) {
    if (field != null
        && Modifier.isStatic(field.getModifiers())
        && field.getDeclaringClass().getClassLoader() == ReflectCalls.class.getClassLoader()
        && isChangeable(field.getType())) {
      ProcessNeed.because(
          "Field.get of " + field.getDeclaringClass().getName() + "." + field.getName());
    }
  }

  private static boolean isChangeable(Class<?> type) {
    return java.util.Map.class.isAssignableFrom(type)
        || java.util.Collection.class.isAssignableFrom(type)
        || type.getName().startsWith("java.util.concurrent.atomic.");
  }

  /** Before {@code Method.invoke}. */
  @Precedes(value = Method.class, names = "invoke", receiver = true)
  public static void invoking(Method method) {
    if (method == null || method.getDeclaringClass().getClassLoader() instanceof TaskClassLoader) {
      return;
    }
    Class<?> type = method.getDeclaringClass();
    String owner = type.getName().replace('.', '/');
    if (type == System.class && OF_SYSTEM.contains(method.getName())
        || Forbidden.CALLS.method(
                owner, method.getName(), org.objectweb.asm.Type.getMethodDescriptor(method))
            != null) {
      ProcessNeed.because("Method.invoke of " + type.getName() + "." + method.getName());
    }
  }
}
