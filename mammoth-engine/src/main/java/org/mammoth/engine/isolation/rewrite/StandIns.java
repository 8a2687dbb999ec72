// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.mammoth.engine.isolation.standins.Follows;
import org.mammoth.engine.isolation.standins.Precedes;
import org.mammoth.engine.isolation.standins.Redirects;
import org.mammoth.engine.isolation.standins.ReflectiveCall;
import org.mammoth.engine.isolation.standins.Replaces;
import org.mammoth.engine.isolation.standins.files.FileCalls;
import org.mammoth.engine.isolation.standins.files.NameCalls;
import org.mammoth.engine.isolation.standins.files.PathCalls;
import org.mammoth.engine.isolation.standins.files.TaskFile;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;

/**
 * The stand-ins of {@link CallTable} for those who look for members while a program runs: by
 * reflection or by method handles. Immutable, thread-safe.
 */
final class StandIns {

  /** Built when first asked: few jobs call JDK methods by reflection. */
  private static final class Standard {
    static final StandIns ALL = new StandIns();
  }

  private final CallTable table = new CallTable();
  private final Map<String, Method> methods = new HashMap<>();
  private final Set<Class<?>> owners = new HashSet<>();

  private StandIns() {
    for (Class<?> source : CallTable.SOURCES) {
      try {
        add(source);
      } catch (LinkageError | TypeNotPresentException ofAnotherModule) {
        // This JRE lacks what the source stands for, so nobody can call it.
      }
    }
  }

  private void add(Class<?> source) {
    for (Method method : source.getDeclaredMethods()) {
      if (method.isAnnotationPresent(Replaces.class)) {
        owners.add(method.getAnnotation(Replaces.class).value());
      }
      if (method.isAnnotationPresent(Precedes.class)) {
        owners.add(method.getAnnotation(Precedes.class).value());
      }
      if (method.isAnnotationPresent(Follows.class)) {
        owners.add(method.getAnnotation(Follows.class).value());
      }
      if (method.isAnnotationPresent(Redirects.class)) {
        owners.add(method.getAnnotation(Redirects.class).value());
      }
      methods.put(
          key(Type.getInternalName(source), method.getName(), Type.getMethodDescriptor(method)),
          method);
    }
  }

  static StandIns standard() {
    return Standard.ALL;
  }

  private static String key(String owner, String name, String descriptor) {
    return owner + '.' + name + descriptor;
  }

  private Method method(Handle handle) {
    return methods.get(key(handle.getOwner(), handle.getName(), handle.getDesc()));
  }

  /** Whether members of a class are replaced: asked at every call by reflection. */
  boolean concerns(Class<?> type) {
    return owners.contains(type);
  }

  private static String owner(Class<?> type) {
    return Type.getInternalName(type);
  }

  /**
   * The stand-in of a method, or null.
   *
   * @return static; takes the object that is called first, where there is one
   */
  Method of(Method method) {
    if (!concerns(method.getDeclaringClass())) {
      return null;
    }
    String owner = owner(method.getDeclaringClass());
    Handle ours = table.method(owner, method.getName(), Type.getMethodDescriptor(method));
    return ours == null ? null : method(ours);
  }

  /** Calls what is to be called before a method, if there is something. */
  void before(Method method, Object[] arguments) throws IllegalAccessException {
    String owner = owner(method.getDeclaringClass());
    Handle handle = table.before(owner, method.getName());
    if (handle == null) {
      return;
    }
    Method ours = method(handle);
    try {
      if (ours.getParameterCount() == 0) {
        ours.invoke(null);
      } else if (arguments != null && arguments.length > 0) {
        ours.invoke(null, arguments[arguments.length - 1]);
      }
    } catch (InvocationTargetException e) {
      throw unchecked(e.getCause());
    }
  }

  /** What is to be called with what a method answers or a constructor makes, or null. */
  Method after(Executable member) {
    Handle handle = table.after(owner(member.getDeclaringClass()), name(member));
    return handle == null ? null : method(handle);
  }

  private static String name(Executable member) {
    return member instanceof Constructor ? "<init>" : member.getName();
  }

  /**
   * A method handle of a member with what a plain call of it would have before, after and instead
   * of its arguments.
   *
   * @param found the member's own
   */
  MethodHandle around(Executable member, MethodHandle found) throws IllegalAccessException {
    if (!concerns(member.getDeclaringClass())) {
      return found;
    }
    MethodHandle all = redirected(member, found.asFixedArity());
    Method after = after(member);
    if (after != null) {
      MethodHandle same = MethodHandles.identity(all.type().returnType());
      MethodType takes = MethodType.methodType(void.class, same.type().parameterType(0));
      MethodHandle told = MethodHandles.lookup().unreflect(after).asType(takes);
      all = MethodHandles.filterReturnValue(all, MethodHandles.foldArguments(same, told));
    }
    Handle before = table.before(owner(member.getDeclaringClass()), name(member));
    if (before != null) {
      MethodHandle told = MethodHandles.lookup().unreflect(method(before));
      int last = all.type().parameterCount() - 1;
      all =
          told.type().parameterCount() == 0
              ? MethodHandles.foldArguments(all, told)
              : MethodHandles.foldArguments(
                  all,
                  last,
                  told.asType(MethodType.methodType(void.class, all.type().parameterType(last))));
    }
    return all.withVarargs(found.isVarargsCollector());
  }

  /** The same of a member whose object and arguments are replaced before it is called. */
  private MethodHandle redirected(Executable member, MethodHandle found)
      throws IllegalAccessException {
    Handle handle =
        member instanceof Method
            ? table.redirect(
                owner(member.getDeclaringClass()),
                member.getName(),
                Type.getMethodDescriptor((Method) member))
            : null;
    if (handle == null) {
      return found;
    }
    MethodHandle made = MethodHandles.lookup().unreflect(method(handle));
    MethodType parameters = found.type();
    MethodHandle call = found;
    for (int i = 0; i < parameters.parameterCount(); i++) {
      MethodHandle part = ReflectiveCall.part(i, parameters.parameterType(i));
      call = MethodHandles.filterArguments(call, i, part);
    }
    MethodType one = MethodType.methodType(parameters.returnType(), ReflectiveCall.class);
    int[] always = new int[parameters.parameterCount()];
    MethodHandle of = MethodHandles.permuteArguments(call, one, always);
    MethodHandle told = made.asType(parameters.changeReturnType(ReflectiveCall.class));
    return MethodHandles.collectArguments(of, 0, told);
  }

  private static RuntimeException unchecked(Throwable e) {
    if (e instanceof Error) {
      throw (Error) e;
    }
    return e instanceof RuntimeException ? (RuntimeException) e : new IllegalStateException(e);
  }

  /** What makes an object in place of a constructor that takes the parent of a class loader. */
  Method maker(Constructor<?> constructor) {
    String owner = owner(constructor.getDeclaringClass());
    Handle ours =
        table.givesParent(owner)
            ? table.method(owner, "<init>", Type.getConstructorDescriptor(constructor))
            : null;
    return ours == null ? null : method(ours);
  }

  /** Whether a constructor takes names of files, or the parent of a class loader. */
  boolean has(Constructor<?> constructor) {
    Class<?> type = constructor.getDeclaringClass();
    return concerns(type)
        && type != ProcessBuilder.class
        && table.method(owner(type), "<init>", Type.getConstructorDescriptor(constructor)) != null;
  }

  /** The constructor of the task's kind of file with the same parameters. */
  static Constructor<?> ofFile(Constructor<?> constructor) {
    try {
      return TaskFile.class.getConstructor(constructor.getParameterTypes());
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("no task's file is made of " + constructor, e);
    }
  }

  /** What makes a constructor's first argument the name of a file of the task's. */
  static Method resolver(Constructor<?> constructor) {
    Class<?> first = constructor.getParameterTypes()[0];
    String name = NameCalls.resolverOf(owner(constructor.getDeclaringClass()));
    boolean isPath = first == Path.class;
    Class<?> room = isPath ? PathCalls.class : FileCalls.class;
    try {
      return name == null
          ? room.getMethod(isPath ? "path" : "name", first)
          : NameCalls.class.getMethod(name, first);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("no name is resolved for " + constructor, e);
    }
  }

  /** A constructor's arguments with its first one resolved. */
  static Object[] resolved(Constructor<?> constructor, Object[] arguments) {
    Object[] all = arguments.clone();
    if (!constructor.getParameterTypes()[0].isInstance(all[0])) {
      return all;
    }
    try {
      all[0] = resolver(constructor).invoke(null, all[0]);
      return all;
    } catch (InvocationTargetException e) {
      throw unchecked(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
