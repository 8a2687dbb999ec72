// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.standins.FieldCalls;
import org.mammoth.engine.isolation.standins.OwnField;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code calls instead of looking up method handles: a handle of what a plain call is
 * replaced by is one of the stand-in. The look-up itself is made first, with all its checks.
 * Stateless, thread-safe.
 */
public final class LookupCalls {
  private LookupCalls() {}

  /** {@code Lookup.findStatic}. */
  @Replaces(value = Lookup.class, receiver = true)
  public static MethodHandle findStatic(Lookup lookup, Class<?> type, String name, MethodType of)
      throws NoSuchMethodException, IllegalAccessException {
    return standIn(lookup, lookup.findStatic(type, name, of));
  }

  /** {@code Lookup.findVirtual}. */
  @Replaces(value = Lookup.class, receiver = true)
  public static MethodHandle findVirtual(Lookup lookup, Class<?> type, String name, MethodType of)
      throws NoSuchMethodException, IllegalAccessException {
    return standIn(lookup, lookup.findVirtual(type, name, of));
  }

  /** {@code Lookup.findSpecial}. */
  @Replaces(value = Lookup.class, receiver = true)
  public static MethodHandle findSpecial(
      Lookup lookup, Class<?> type, String name, MethodType of, Class<?> caller)
      throws NoSuchMethodException, IllegalAccessException {
    MethodHandle found = lookup.findSpecial(type, name, of, caller);
    Member member = member(lookup, found);
    return member == null ? found : StandIns.standard().around((Method) member, found);
  }

  /** {@code Lookup.unreflectSpecial}. */
  @Replaces(value = Lookup.class, receiver = true)
  public static MethodHandle unreflectSpecial(Lookup lookup, Method method, Class<?> caller)
      throws IllegalAccessException {
    return StandIns.standard().around(method, lookup.unreflectSpecial(method, caller));
  }

  /** {@code Lookup.bind}. */
  @Replaces(value = Lookup.class, receiver = true)
  public static MethodHandle bind(Lookup lookup, Object receiver, String name, MethodType of)
      throws NoSuchMethodException, IllegalAccessException {
    MethodHandle found = lookup.bind(receiver, name, of);
    MethodHandle ours =
        standIn(lookup, lookup.findVirtual(receiver.getClass(), name, of)).bindTo(receiver);
    return ours.type().equals(found.type()) ? ours : found;
  }

  /** {@code Lookup.unreflect}. */
  @Replaces(value = Lookup.class, receiver = true)
  public static MethodHandle unreflect(Lookup lookup, Method method) throws IllegalAccessException {
    return standIn(method, lookup.unreflect(method));
  }

  /** {@code Lookup.findConstructor}. */
  @Replaces(value = Lookup.class, receiver = true)
  public static MethodHandle findConstructor(Lookup lookup, Class<?> type, MethodType of)
      throws NoSuchMethodException, IllegalAccessException {
    return standIn(lookup, lookup.findConstructor(type, of));
  }

  /** {@code Lookup.unreflectConstructor}. */
  @Replaces(value = Lookup.class, receiver = true)
  public static MethodHandle unreflectConstructor(Lookup lookup, Constructor<?> constructor)
      throws IllegalAccessException {
    return standIn(constructor, lookup.unreflectConstructor(constructor));
  }

  /** {@code Lookup.defineClass}: beside a shared class, it would be all tasks', once. */
  @Replaces(value = Lookup.class, receiver = true)
  public static Class<?> defineClass(Lookup lookup, byte[] code) throws IllegalAccessException {
    if (Owners.isShared(lookup.lookupClass().getClassLoader())) {
      ProcessNeed.because("Lookup.defineClass beside " + lookup.lookupClass().getName());
    }
    return lookup.defineClass(code);
  }

  /** {@code Lookup.defineHiddenClass}: no agent sees such a class. */
  @Replaces(value = Lookup.class, receiver = true)
  public static Lookup defineHiddenClass(
      Lookup lookup, byte[] code, boolean initialize, Lookup.ClassOption... options)
      throws IllegalAccessException {
    byte[] ours = MadeClasses.hidden(lookup.lookupClass(), code);
    return lookup.defineHiddenClass(ours, initialize, options);
  }

  /** {@code Lookup.defineHiddenClassWithClassData}. */
  @Replaces(value = Lookup.class, receiver = true)
  public static Lookup defineHiddenClassWithClassData(
      Lookup lookup, byte[] code, Object data, boolean initialize, Lookup.ClassOption... options)
      throws IllegalAccessException {
    byte[] ours = MadeClasses.hidden(lookup.lookupClass(), code);
    return lookup.defineHiddenClassWithClassData(ours, data, initialize, options);
  }

  private static MethodHandle standIn(Lookup lookup, MethodHandle found)
      throws IllegalAccessException {
    Member member = member(lookup, found);
    return member == null ? found : standIn(member, found);
  }

  /** What a handle is of if that is the JDK's or Hadoop's, or null: a task's are its own matter. */
  private static Member member(Lookup lookup, MethodHandle found) {
    MethodHandleInfo info;
    try {
      info = lookup.revealDirect(found);
    } catch (IllegalArgumentException notDirect) {
      // Bound to its caller, as methods are that ask who calls them; none of those is replaced.
      return null;
    }
    return TaskClassLoader.above(info.getDeclaringClass().getClassLoader()) == null
        ? info.reflectAs(Member.class, lookup)
        : null;
  }

  private static MethodHandle standIn(Member member, MethodHandle found)
      throws IllegalAccessException {
    StandIns standIns = StandIns.standard();
    if (member instanceof Method) {
      Method ours = standIns.of((Method) member);
      return ours == null
          ? standIns.around((Method) member, found)
          : as(found, MethodHandles.lookup().unreflect(ours));
    }
    if (!(member instanceof Constructor)) {
      return found;
    }
    Constructor<?> constructor = (Constructor<?>) member;
    if (!standIns.has(constructor)) {
      return standIns.around(constructor, found);
    }
    Method maker = standIns.maker(constructor);
    if (maker != null) {
      return as(found, MethodHandles.lookup().unreflect(maker));
    }
    return constructor.getDeclaringClass() == java.io.File.class
        ? as(found, MethodHandles.lookup().unreflectConstructor(StandIns.ofFile(constructor)))
        : MethodHandles.filterArguments(
            found, 0, MethodHandles.lookup().unreflect(StandIns.resolver(constructor)));
  }

  private static MethodHandle as(MethodHandle found, MethodHandle ours) {
    return ours.asType(found.type()).withVarargs(found.isVarargsCollector());
  }

  /** {@code Lookup.findStaticGetter}. */
  @Replaces(value = Lookup.class, receiver = true)
  public static MethodHandle findStaticGetter(
      Lookup lookup, Class<?> in, String name, Class<?> type)
      throws NoSuchFieldException, IllegalAccessException {
    MethodHandle found = lookup.findStaticGetter(in, name, type);
    return getter(field(lookup, found), found);
  }

  /** {@code Lookup.findStaticSetter}. */
  @Replaces(value = Lookup.class, receiver = true)
  public static MethodHandle findStaticSetter(
      Lookup lookup, Class<?> in, String name, Class<?> type)
      throws NoSuchFieldException, IllegalAccessException {
    MethodHandle found = lookup.findStaticSetter(in, name, type);
    return setter(field(lookup, found), found);
  }

  /** {@code Lookup.findStaticVarHandle}. */
  @Replaces(value = Lookup.class, receiver = true)
  public static VarHandle findStaticVarHandle(
      Lookup lookup, Class<?> in, String name, Class<?> type)
      throws NoSuchFieldException, IllegalAccessException {
    Field field = field(lookup, lookup.findStaticGetter(in, name, type));
    return variable(field, lookup.findStaticVarHandle(in, name, type));
  }

  /** {@code Lookup.unreflectGetter}. */
  @Replaces(value = Lookup.class, receiver = true)
  public static MethodHandle unreflectGetter(Lookup lookup, Field field)
      throws IllegalAccessException {
    return getter(field, lookup.unreflectGetter(field));
  }

  /** {@code Lookup.unreflectSetter}. */
  @Replaces(value = Lookup.class, receiver = true)
  public static MethodHandle unreflectSetter(Lookup lookup, Field field)
      throws IllegalAccessException {
    return setter(field, lookup.unreflectSetter(field));
  }

  /** {@code Lookup.unreflectVarHandle}. */
  @Replaces(value = Lookup.class, receiver = true)
  public static VarHandle unreflectVarHandle(Lookup lookup, Field field)
      throws IllegalAccessException {
    return variable(field, lookup.unreflectVarHandle(field));
  }

  private static Field field(Lookup lookup, MethodHandle found) {
    return lookup.revealDirect(found).reflectAs(Field.class, lookup);
  }

  private static MethodHandle getter(Field field, MethodHandle found) {
    if (!FieldCalls.isOfShared(field)) {
      return found;
    }
    OwnField own = OwnField.of(field);
    if (own == null) {
      FieldCalls.taking(field);
    }
    return own == null ? found : own.getter();
  }

  private static MethodHandle setter(Field field, MethodHandle found) {
    if (!FieldCalls.isOfShared(field)) {
      return found;
    }
    OwnField own = OwnField.of(field);
    if (own == null) {
      FieldCalls.changing(field);
    }
    return own == null ? found : own.setter();
  }

  /** One may set by it whatever is not final. */
  private static VarHandle variable(Field field, VarHandle found) {
    if (FieldCalls.isOfShared(field)) {
      if (OwnField.of(field) != null || !Modifier.isFinal(field.getModifiers())) {
        FieldCalls.changing(field);
      }
      FieldCalls.taking(field);
    }
    return found;
  }
}
