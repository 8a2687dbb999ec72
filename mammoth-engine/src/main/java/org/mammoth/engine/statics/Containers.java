// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Copies containers of the JDK, one level deep. Stateless. */
final class Containers {

  static final Class<?> SYNCHRONIZED_MAP = Collections.synchronizedMap(new HashMap<>()).getClass();
  static final Class<?> UNMODIFIABLE_MAP = Collections.unmodifiableMap(Map.of()).getClass();

  private static final Class<?> AS_LIST = Arrays.asList("").getClass();

  private Containers() {}

  /**
   * A container with the same elements; anything else is itself.
   *
   * @throws IllegalStateException if a kind of container is not known here
   */
  static Object copy(Object value) {
    if (value instanceof Map) {
      synchronized (value) {
        return copyOf((Map<?, ?>) value);
      }
    }
    if (value instanceof Collection) {
      return copyOf((Collection<?>) value);
    }
    if (value != null && value.getClass().isArray()) {
      int length = Array.getLength(value);
      Object copy = Array.newInstance(value.getClass().getComponentType(), length);
      System.arraycopy(value, 0, copy, 0, length);
      return copy;
    }
    return copyOfAtomic(value);
  }

  private static Map<?, ?> copyOf(Map<?, ?> map) {
    if (map.getClass() == SYNCHRONIZED_MAP) {
      return Collections.synchronizedMap(new HashMap<>(map));
    }
    if (map.getClass() == UNMODIFIABLE_MAP) {
      return Collections.unmodifiableMap(new HashMap<>(map));
    }
    if (map instanceof ConcurrentHashMap) {
      return new ConcurrentHashMap<>(map);
    }
    return map instanceof WeakHashMap ? new WeakHashMap<>(map) : (Map<?, ?>) cloneOf(map);
  }

  private static Collection<?> copyOf(Collection<?> elements) {
    if (elements instanceof ConcurrentHashMap.KeySetView) {
      Collection<Object> copy = ConcurrentHashMap.newKeySet();
      copy.addAll(elements);
      return copy;
    }
    if (elements.getClass() == AS_LIST) {
      return Arrays.asList(elements.toArray());
    }
    return elements instanceof CopyOnWriteArrayList
        ? new CopyOnWriteArrayList<>(elements)
        : (Collection<?>) cloneOf(elements);
  }

  private static Object cloneOf(Object container) {
    if (!container.getClass().getModule().isNamed() || isImmutable(container)) {
      return container;
    }
    try {
      return container.getClass().getMethod("clone").invoke(container);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(container.getClass().getName() + " cannot be copied", e);
    }
  }

  /** Whether it is one of those that {@code List.of} and its like make. */
  private static boolean isImmutable(Object container) {
    return container.getClass().getName().startsWith("java.util.ImmutableCollections");
  }

  private static Object copyOfAtomic(Object value) {
    if (value instanceof AtomicReference) {
      return new AtomicReference<>(((AtomicReference<?>) value).get());
    }
    if (value instanceof AtomicBoolean) {
      return new AtomicBoolean(((AtomicBoolean) value).get());
    }
    if (value instanceof AtomicInteger) {
      return new AtomicInteger(((AtomicInteger) value).get());
    }
    return value instanceof AtomicLong ? new AtomicLong(((AtomicLong) value).get()) : value;
  }
}
