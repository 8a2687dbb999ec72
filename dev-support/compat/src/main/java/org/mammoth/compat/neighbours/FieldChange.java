// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** What generated programs do to a static field by reflection, and how a witness looks at it. */
public final class FieldChange {
  private static final int MARK_NUMBER = 7_654_321;

  private FieldChange() {}

  /** Changes a field, or what it refers to, and tells what is seen of it then. */
  public static String change(String owner, String name) throws ReflectiveOperationException {
    Field field = field(owner, name);
    Object value = field.get(null);
    if (!changeInside(value) && !Modifier.isFinal(field.getModifiers())) {
      set(field, value);
    }
    return tell(owner, name);
  }

  /** Whether a field has been changed, and what is known of it without its own text. */
  public static String tell(String owner, String name) throws ReflectiveOperationException {
    Object value = field(owner, name).get(null);
    if (value instanceof Number || value instanceof Boolean || value instanceof String) {
      return String.valueOf(value);
    }
    if (value instanceof Collection<?> many) {
      return "marked: " + many.contains(Deed.MARK);
    }
    if (value instanceof Map<?, ?> map) {
      return "marked: " + map.containsKey(Deed.MARK);
    }
    if (value instanceof AtomicBoolean || value instanceof AtomicReference) {
      return String.valueOf(value).contains(Deed.MARK) ? "marked" : "not marked";
    }
    return value == null ? "null" : "there";
  }

  private static Field field(String owner, String name) throws ReflectiveOperationException {
    Field field =
        Class.forName(owner, true, FieldChange.class.getClassLoader()).getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  @SuppressWarnings("unchecked")
  private static boolean changeInside(Object value) {
    try {
      if (value instanceof AtomicInteger number) {
        number.set(MARK_NUMBER);
      } else if (value instanceof AtomicLong number) {
        number.set(MARK_NUMBER);
      } else if (value instanceof AtomicBoolean flag) {
        flag.set(!flag.get());
      } else if (value instanceof AtomicReference<?> reference) {
        ((AtomicReference<Object>) reference).set(null);
      } else if (value instanceof Collection<?> many) {
        ((Collection<Object>) many).add(Deed.MARK);
      } else if (value instanceof Map<?, ?> map) {
        ((Map<Object, Object>) map).put(Deed.MARK, null);
      } else {
        return false;
      }
      return true;
    } catch (UnsupportedOperationException | ClassCastException | NullPointerException e) {
      // Cannot be changed, or not by this: then perhaps the field.
      return false;
    }
  }

  private static void set(Field field, Object value) throws IllegalAccessException {
    Class<?> type = field.getType();
    if (type == boolean.class) {
      field.setBoolean(null, !(Boolean) value);
    } else if (type == int.class) {
      field.setInt(null, MARK_NUMBER);
    } else if (type == long.class) {
      field.setLong(null, MARK_NUMBER);
    } else if (type == String.class) {
      field.set(null, Deed.MARK);
    } else if (!type.isPrimitive()) {
      field.set(null, null);
    }
  }
}
