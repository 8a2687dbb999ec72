// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.purge;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Map;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;

/** Takes out of one static field what belongs to a class loader. Stateless. */
final class CacheCleaner {
  private CacheCleaner() {}

  /**
   * Cleans the field.
   *
   * @param dead the loader; null changes nothing
   * @return false when the field is of a kind this cannot clean
   */
  static boolean clean(Field field, ClassLoader dead) throws ReflectiveOperationException {
    Object value = field.get(null);
    if (value == null) {
      // Not filled yet. Still a kind we know, unless it was renamed into something else.
      return Map.class.isAssignableFrom(field.getType())
          || Configurable.class.isAssignableFrom(field.getType());
    }
    if (value instanceof Map) {
      cleanMap((Map<?, ?>) value, dead);
      return true;
    }
    if (value instanceof Configurable) {
      if (dead != null && hasDeadConf(value, dead)) {
        // Null would be a race: Hadoop tests the field and reads it again.
        Configuration neutral = new Configuration();
        neutral.setClassLoader(CacheCleaner.class.getClassLoader());
        field.set(null, field.getType().getConstructor(Configuration.class).newInstance(neutral));
      }
      return true;
    }
    return cleanCache(value, dead);
  }

  private static void cleanMap(Map<?, ?> map, ClassLoader dead) {
    if (dead == null) {
      return;
    }
    synchronized (map) {
      map.entrySet().removeIf(e -> belongs(e.getKey(), dead) || belongs(e.getValue(), dead));
      map.values().forEach(v -> unconfigure(v, dead));
    }
  }

  /**
   * A comparator of Hadoop's own, Text's for one, stays registered but remembers the configuration
   * it was last asked for with. To remove it would leave later tasks with the slow generic one.
   */
  private static void unconfigure(Object value, ClassLoader dead) {
    if (hasDeadConf(value, dead)) {
      ((Configurable) value).setConf(null);
    }
  }

  private static boolean hasDeadConf(Object value, ClassLoader dead) {
    return value instanceof Configurable && belongs(((Configurable) value).getConf(), dead);
  }

  /** Guava's caches come shaded under changing names; what they share is asMap. */
  private static boolean cleanCache(Object cache, ClassLoader dead)
      throws ReflectiveOperationException {
    for (Class<?> type : cache.getClass().getInterfaces()) {
      for (Method m : type.getMethods()) {
        if (m.getName().equals("asMap") && m.getParameterCount() == 0) {
          m.setAccessible(true);
          cleanMap((Map<?, ?>) m.invoke(cache), dead);
          return true;
        }
      }
    }
    return false;
  }

  private static boolean belongs(Object o, ClassLoader dead) {
    if (o == null) {
      return false;
    }
    if (o instanceof ClassLoader) {
      return isOrBelow((ClassLoader) o, dead);
    }
    if (o instanceof Class) {
      return isOrBelow(((Class<?>) o).getClassLoader(), dead);
    }
    if (o instanceof Member) {
      return isOrBelow(((Member) o).getDeclaringClass().getClassLoader(), dead);
    }
    if (o instanceof Reference) {
      return belongs(((Reference<?>) o).get(), dead);
    }
    if (o instanceof Configuration) {
      return isOrBelow(((Configuration) o).getClassLoader(), dead);
    }
    return isOrBelow(o.getClass().getClassLoader(), dead);
  }

  private static boolean isOrBelow(ClassLoader loader, ClassLoader dead) {
    for (ClassLoader l = loader; l != null; l = l.getParent()) {
      if (l == dead) {
        return true;
      }
    }
    return false;
  }
}
