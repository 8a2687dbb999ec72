// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import sun.misc.Unsafe;

/**
 * Copies an object with all it refers to, as far as that can change: containers of the JDK, and
 * objects of Hadoop and its libraries. What else is the JDK's, classes, loaders, threads, loggers
 * and lambdas are the same in the copy. References to one object become references to one copy. For
 * one thread and one use.
 */
final class DeepCopy {

  private static final Unsafe UNSAFE = unsafe();

  private static final ClassValue<Field[]> FIELDS =
      new ClassValue<>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
          return fieldsOf(type);
        }
      };

  private final Map<Object, Object> copies = new IdentityHashMap<>();

  private DeepCopy() {}

  /** The copy, or the object itself where it cannot change. */
  static Object of(Object original) {
    return new DeepCopy().copy(original);
  }

  private Object copy(Object original) {
    if (original == null || original instanceof String) {
      return original;
    }
    Object known = copies.get(original);
    if (known != null) {
      return known;
    }
    if (isOfJdk(original.getClass()) || original.getClass().isArray()) {
      return container(original);
    }
    if (original instanceof Configuration) {
      // Of its fields some are other objects' business, such as the cache of its loader's classes.
      return remember(original, configuration((Configuration) original));
    }
    return isShared(original.getClass()) ? original : object(original);
  }

  private Object container(Object original) {
    if (original.getClass() == Containers.UNMODIFIABLE_MAP) {
      Map<Object, Object> inner = new HashMap<>((Map<?, ?>) original);
      return remember(original, Collections.unmodifiableMap(entries(inner)));
    }
    Object copy = Containers.copy(original);
    if (copy == original) {
      return original;
    }
    copies.put(original, copy);
    if (copy instanceof Map) {
      entries(castMap(copy));
    } else if (copy instanceof Collection) {
      elements(castCollection(copy));
    } else if (copy instanceof Object[]) {
      Object[] array = (Object[]) copy;
      for (int i = 0; i < array.length; i++) {
        array[i] = copy(array[i]);
      }
    } else if (copy instanceof AtomicReference) {
      castReference(copy).updateAndGet(this::copy);
    }
    return copy;
  }

  private Map<Object, Object> entries(Map<Object, Object> map) {
    map.replaceAll((key, value) -> copy(value));
    return map;
  }

  private void elements(Collection<Object> collection) {
    if (collection instanceof List) {
      ((List<Object>) collection).replaceAll(this::copy);
      return;
    }
    List<Object> originals = new ArrayList<>(collection);
    collection.clear();
    originals.forEach(each -> collection.add(copy(each)));
  }

  private static Configuration configuration(Configuration original) {
    Configuration copy = new Configuration(original);
    copy.setClassLoader(Thread.currentThread().getContextClassLoader());
    return copy;
  }

  private Object object(Object original) {
    Class<?> type = original.getClass();
    try {
      Object copy = remember(original, UNSAFE.allocateInstance(type));
      for (Field field : FIELDS.get(type)) {
        Object value = field.get(original);
        field.set(copy, field.getType().isPrimitive() ? value : copy(value));
      }
      return copy;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("an object of " + type.getName() + " cannot be copied", e);
    }
  }

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JVM has no Unsafe to make copies with", e);
    }
  }

  private Object remember(Object original, Object copy) {
    copies.put(original, copy);
    return copy;
  }

  /** The JDK hides its fields; what can change of it is copied as a container, or not at all. */
  static boolean isOfJdk(Class<?> type) {
    return type.getModule().isNamed();
  }

  /** Whether objects of a class stay as they are in copies. */
  static boolean isShared(Class<?> type) {
    return type.isHidden()
        || type.isRecord()
        || type.isEnum()
        || Enum.class.isAssignableFrom(type)
        || ClassLoader.class.isAssignableFrom(type)
        || Thread.class.isAssignableFrom(type)
        || org.slf4j.Logger.class.isAssignableFrom(type)
        || org.apache.log4j.Category.class.isAssignableFrom(type)
        || org.apache.commons.logging.Log.class.isAssignableFrom(type);
  }

  /** A class's instance fields, with those it inherits. */
  private static Field[] fieldsOf(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    for (Class<?> each = type; each != Object.class; each = each.getSuperclass()) {
      if (isOfJdk(each)) {
        throw new IllegalStateException(type.getName() + " extends the JDK's " + each.getName());
      }
      for (Field field : each.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          field.setAccessible(true);
          fields.add(field);
        }
      }
    }
    return fields.toArray(new Field[0]);
  }

  @SuppressWarnings("unchecked")
  private static Map<Object, Object> castMap(Object map) {
    return (Map<Object, Object>) map;
  }

  @SuppressWarnings("unchecked")
  private static Collection<Object> castCollection(Object collection) {
    return (Collection<Object>) collection;
  }

  @SuppressWarnings("unchecked")
  private static AtomicReference<Object> castReference(Object reference) {
    return (AtomicReference<Object>) reference;
  }
}
