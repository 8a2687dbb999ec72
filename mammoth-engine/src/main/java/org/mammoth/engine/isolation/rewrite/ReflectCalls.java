// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URLClassLoader;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.standins.Follows;
import org.mammoth.engine.isolation.standins.ParentCalls;
import org.mammoth.engine.isolation.standins.Redirects;
import org.mammoth.engine.isolation.standins.ReflectiveCall;
import org.mammoth.engine.isolation.standins.network.SocketCalls;

/**
 * What rewritten code calls before it calls a method or a constructor by reflection: where a plain
 * call would have been replaced, this one is, too. Stateless, thread-safe.
 */
public final class ReflectCalls {

  /** What a call of a stand-in came to; {@link #replay} comes to the same. */
  private static final class Outcome {
    private final Object value;
    private final Throwable error;

    Outcome(Object value, Throwable error) {
      this.value = value;
      this.error = error;
    }
  }

  /** Built when first asked: few jobs call JDK methods by reflection. */
  private static final class Lazy {
    static final Method REPLAY;

    static {
      try {
        REPLAY = ReflectCalls.class.getMethod("replay", Object.class);
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private ReflectCalls() {}

  /** {@code Method.invoke}. */
  @Redirects(value = Method.class, names = "invoke")
  public static ReflectiveCall invoking(Method method, Object object, Object[] arguments)
      throws IllegalAccessException {
    StandIns standIns = StandIns.standard();
    if (method == null || !standIns.concerns(method.getDeclaringClass())) {
      return new ReflectiveCall(method, object, arguments);
    }
    Method ours = standIns.of(method);
    boolean isStatic = Modifier.isStatic(method.getModifiers());
    if (object instanceof ClassLoader
        && method.getName().equals("defineClass")
        && Owners.isShared((ClassLoader) object)
        && Owners.isOfJob()) {
      ProcessNeed.because("ClassLoader.defineClass of " + object);
    }
    if (ours == null || !isStatic && !method.getDeclaringClass().isInstance(object)) {
      standIns.before(method, arguments);
      return following(standIns.after(method), method, object, arguments);
    }
    Object[] all = isStatic ? arguments : withFirst(object, arguments);
    return replaying(outcome(ours, null, all));
  }

  /** A call as it is, or what it comes to if something is to be told of that. */
  private static ReflectiveCall following(
      Method after, Method method, Object object, Object[] arguments)
      throws IllegalAccessException {
    boolean isStatic = Modifier.isStatic(method.getModifiers());
    boolean isCalled = isStatic || method.getDeclaringClass().isInstance(object);
    return after == null || !isCalled || !method.canAccess(isStatic ? null : object)
        ? new ReflectiveCall(method, object, arguments)
        : replaying(told(after, outcome(method, object, arguments)));
  }

  private static ReflectiveCall replaying(Outcome outcome) {
    return new ReflectiveCall(Lazy.REPLAY, null, new Object[] {outcome});
  }

  private static Outcome told(Method after, Outcome outcome) throws IllegalAccessException {
    if (outcome.error == null) {
      outcome(after, null, new Object[] {outcome.value});
    }
    return outcome;
  }

  private static Outcome outcome(Method called, Object object, Object[] arguments)
      throws IllegalAccessException {
    try {
      return new Outcome(called.invoke(object, arguments), null);
    } catch (InvocationTargetException e) {
      // A process that ends has nothing to catch.
      if (e.getCause() instanceof TaskExit) {
        throw (TaskExit) e.getCause();
      }
      return new Outcome(null, e.getCause());
    }
  }

  /** Called by reflection only, so that the caller sees what he would have seen. */
  public static Object replay(Object outcome) throws Throwable {
    Outcome known = (Outcome) outcome;
    if (known.error != null) {
      throw known.error;
    }
    return known.value;
  }

  static Object[] withFirst(Object first, Object[] others) {
    int count = others == null ? 0 : others.length;
    Object[] all = new Object[count + 1];
    all[0] = first;
    if (count > 0) {
      System.arraycopy(others, 0, all, 1, count);
    }
    return all;
  }

  /**
   * {@code Constructor.newInstance}: names of files are of the task's folder, loaders below its.
   */
  @Redirects(value = Constructor.class, names = "newInstance")
  public static ReflectiveCall making(Constructor<?> constructor, Object[] arguments) {
    if (constructor == null
        || arguments == null
        || arguments.length != constructor.getParameterCount()
        || !StandIns.standard().has(constructor)) {
      return new ReflectiveCall(constructor, arguments);
    }
    if (constructor.getDeclaringClass() == URLClassLoader.class) {
      return new ReflectiveCall(
          ParentCalls.withParent(constructor), ParentCalls.withParent(constructor, arguments));
    }
    if (constructor.getDeclaringClass() == File.class) {
      return new ReflectiveCall(StandIns.ofFile(constructor), arguments);
    }
    return new ReflectiveCall(constructor, StandIns.resolved(constructor, arguments));
  }

  /** After {@code Constructor.newInstance}. */
  @Follows(value = Constructor.class, names = "newInstance")
  public static void made(Object object) {
    SocketCalls.madeByReflection(object);
  }

  /** After {@code Class.newInstance}. */
  @Follows(value = Class.class, names = "newInstance")
  public static void madeOfClass(Object object) {
    SocketCalls.madeByReflection(object);
  }
}
