// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/**
 * A static field of a shared class of which each process has its own, as reflection sees it: by the
 * methods that {@code org.mammoth.engine.statics} has given the class. Immutable, thread-safe.
 */
public final class OwnField {
  private static final String GETTER = "mammoth$get$";
  private static final String SETTER = "mammoth$set$";

  private final MethodHandle getter;
  private final MethodHandle setter;

  private OwnField(MethodHandle getter, MethodHandle setter) {
    this.getter = getter;
    this.setter = setter;
  }

  /** The name of the method that reads a field. */
  public static String getter(String field) {
    return GETTER + field;
  }

  /** The name of the method that sets a field. */
  public static String setter(String field) {
    return SETTER + field;
  }

  /** The field as the running process has it, or null if all share it. */
  public static OwnField of(Field field) {
    Class<?> holder = field.getDeclaringClass();
    if (holder.getClassLoader() != OwnField.class.getClassLoader()
        || !Modifier.isStatic(field.getModifiers())) {
      return null;
    }
    try {
      MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(holder, MethodHandles.lookup());
      Class<?> type = field.getType();
      return new OwnField(
          lookup.findStatic(holder, getter(field.getName()), MethodType.methodType(type)),
          lookup.findStatic(
              holder, setter(field.getName()), MethodType.methodType(void.class, type)));
    } catch (NoSuchMethodException shared) {
      return null;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field + " cannot be reached", e);
    }
  }

  /** A handle that reads the calling task's own. */
  public MethodHandle getter() {
    return getter;
  }

  /** A handle that sets the calling task's own. */
  public MethodHandle setter() {
    return setter;
  }

  Object get() {
    try {
      return getter.invoke();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Sets it to a value of the field's type, or of its box. */
  void set(Object value) {
    try {
      setter.invoke(value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static RuntimeException unexpected(Throwable e) {
    if (e instanceof RuntimeException) {
      throw (RuntimeException) e;
    }
    if (e instanceof Error) {
      throw (Error) e;
    }
    return new IllegalStateException(e);
  }
}
