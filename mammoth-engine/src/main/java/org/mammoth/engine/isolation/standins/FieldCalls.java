// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;

/**
 * What rewritten code calls before it reads or sets a field by reflection. A static field of which
 * each process has its own is the caller's. To set another one of a class that all tasks share, or
 * to take a container from it, which may be to change it, needs a process. Stateless, thread-safe.
 */
public final class FieldCalls {

  /** Has a field of each type; reading or setting it stands for a process's own field. */
  public static final class Cell {
    public boolean booleanCell;
    public byte byteCell;
    public char charCell;
    public short shortCell;
    public int intCell;
    public long longCell;
    public float floatCell;
    public double doubleCell;
    public Object cell;

    static Field of(Class<?> type) {
      try {
        return Cell.class.getField(type.isPrimitive() ? type.getName() + "Cell" : "cell");
      } catch (NoSuchFieldException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private FieldCalls() {}

  /** {@code Field.get} and its like. */
  @Redirects(
      value = Field.class,
      names = {
        "get",
        "getBoolean",
        "getByte",
        "getChar",
        "getShort",
        "getInt",
        "getLong",
        "getFloat",
        "getDouble"
      })
  public static ReflectiveCall getting(Field field, Object object) throws IllegalAccessException {
    if (!isOfShared(field)) {
      return new ReflectiveCall(field, object);
    }
    OwnField own = OwnField.of(field);
    if (own != null && isAccessible(field)) {
      Cell cell = new Cell();
      Field of = Cell.of(field.getType());
      of.set(cell, own.get());
      return new ReflectiveCall(of, cell);
    }
    taking(field);
    return new ReflectiveCall(field, object);
  }

  /** {@code Field.set}. */
  @Redirects(value = Field.class, names = "set")
  public static ReflectiveCall setting(Field field, Object object, Object value)
      throws IllegalAccessException {
    if (!isOfShared(field)) {
      return new ReflectiveCall(field, object, value);
    }
    OwnField own = OwnField.of(field);
    if (own == null) {
      changing(field);
      return new ReflectiveCall(field, object, value);
    }
    boolean isPrimitive = field.getType().isPrimitive();
    if (!isAccessible(field)
        || Modifier.isFinal(field.getModifiers())
        || !isPrimitive && value != null && !field.getType().isInstance(value)) {
      // Upstream's exception, thrown where it always is.
      return new ReflectiveCall(field, object, value);
    }
    Cell cell = new Cell();
    Field of = Cell.of(field.getType());
    // Unboxes and widens, or refuses, as setting the field itself would.
    of.set(cell, value);
    own.set(of.get(cell));
    return new ReflectiveCall(of, cell, value);
  }

  /** {@code Field.setBoolean}. */
  @Redirects(value = Field.class, names = "setBoolean")
  public static ReflectiveCall setting(Field field, Object object, boolean value)
      throws IllegalAccessException {
    return setting(field, object, (Object) value);
  }

  /** {@code Field.setByte}. */
  @Redirects(value = Field.class, names = "setByte")
  public static ReflectiveCall setting(Field field, Object object, byte value)
      throws IllegalAccessException {
    return setting(field, object, (Object) value);
  }

  /** {@code Field.setChar}. */
  @Redirects(value = Field.class, names = "setChar")
  public static ReflectiveCall setting(Field field, Object object, char value)
      throws IllegalAccessException {
    return setting(field, object, (Object) value);
  }

  /** {@code Field.setShort}. */
  @Redirects(value = Field.class, names = "setShort")
  public static ReflectiveCall setting(Field field, Object object, short value)
      throws IllegalAccessException {
    return setting(field, object, (Object) value);
  }

  /** {@code Field.setInt}. */
  @Redirects(value = Field.class, names = "setInt")
  public static ReflectiveCall setting(Field field, Object object, int value)
      throws IllegalAccessException {
    return setting(field, object, (Object) value);
  }

  /** {@code Field.setLong}. */
  @Redirects(value = Field.class, names = "setLong")
  public static ReflectiveCall setting(Field field, Object object, long value)
      throws IllegalAccessException {
    return setting(field, object, (Object) value);
  }

  /** {@code Field.setFloat}. */
  @Redirects(value = Field.class, names = "setFloat")
  public static ReflectiveCall setting(Field field, Object object, float value)
      throws IllegalAccessException {
    return setting(field, object, (Object) value);
  }

  /** {@code Field.setDouble}. */
  @Redirects(value = Field.class, names = "setDouble")
  public static ReflectiveCall setting(Field field, Object object, double value)
      throws IllegalAccessException {
    return setting(field, object, (Object) value);
  }

  /**
   * Before code of a job sets a static field that all tasks share.
   *
   * @param field with its class's name
   */
  public static void setting(String field) {
    ProcessNeed.toSet(field);
  }

  /** Whether it is a static field of a class that all tasks share; not if null. */
  public static boolean isOfShared(Field field) {
    return field != null
        && Modifier.isStatic(field.getModifiers())
        && Owners.isShared(field.getDeclaringClass().getClassLoader());
  }

  /** Before a field that all share is set. */
  public static void changing(Field field) {
    ProcessNeed.because("Field.set of " + named(field));
  }

  /** Before what a field refers to that all share is taken. */
  public static void taking(Field field) {
    if (isContainer(field.getType()) && (!isOfJdk(field) || !isPublic(field))) {
      ProcessNeed.because("Field.get of " + named(field));
    }
  }

  private static boolean isOfJdk(Field field) {
    return field.getDeclaringClass().getClassLoader() != FieldCalls.class.getClassLoader();
  }

  private static boolean isPublic(Field field) {
    return Modifier.isPublic(field.getModifiers())
        && Modifier.isPublic(field.getDeclaringClass().getModifiers());
  }

  private static String named(Field field) {
    return field.getDeclaringClass().getName() + "." + field.getName();
  }

  private static boolean isContainer(Class<?> type) {
    return Map.class.isAssignableFrom(type)
        || Collection.class.isAssignableFrom(type)
        || type.getName().startsWith("java.util.concurrent.atomic.");
  }

  @SuppressWarnings("deprecation") // canAccess asks for this class, not for the caller
  private static boolean isAccessible(Field field) {
    return field.isAccessible() || isPublic(field);
  }
}
