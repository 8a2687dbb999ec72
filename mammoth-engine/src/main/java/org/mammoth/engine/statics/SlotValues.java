package org.mammoth.engine.statics;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** Makes what a process starts with from what the engine has. Stateless. */
final class SlotValues {

  private static final Class<?> SYNCHRONIZED_MAP =
      Collections.synchronizedMap(new HashMap<>()).getClass();

  private SlotValues() {}

  /**
   * A copy of a container, one level deep; anything else is itself, as it is taken to be immutable.
   */
  static Object copy(Object value) {
    if (value instanceof Map) {
      synchronized (value) {
        return copyOf((Map<?, ?>) value);
      }
    }
    if (value instanceof ConcurrentHashMap.KeySetView) {
      ConcurrentHashMap.KeySetView<Object, Boolean> copy = ConcurrentHashMap.newKeySet();
      copy.addAll((ConcurrentHashMap.KeySetView<?, ?>) value);
      return copy;
    }
    if (value instanceof CopyOnWriteArrayList) {
      return new CopyOnWriteArrayList<>((List<?>) value);
    }
    if (value instanceof ArrayList) {
      return new ArrayList<>((List<?>) value);
    }
    return value instanceof Object[] ? ((Object[]) value).clone() : copyOfAtomic(value);
  }

  private static Object copyOf(Map<?, ?> map) {
    if (map.getClass() == SYNCHRONIZED_MAP) {
      return Collections.synchronizedMap(new HashMap<>(map));
    }
    if (map instanceof ConcurrentHashMap) {
      return new ConcurrentHashMap<>(map);
    }
    if (map instanceof WeakHashMap) {
      return new WeakHashMap<>(map);
    }
    if (map instanceof IdentityHashMap) {
      return new IdentityHashMap<>(map);
    }
    return map instanceof TreeMap ? new TreeMap<>((TreeMap<?, ?>) map) : new HashMap<>(map);
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

  /** A new object of the same class, or kind of map. */
  static Object emptyLike(Object value) {
    if (value instanceof Map && value.getClass() == SYNCHRONIZED_MAP) {
      return Collections.synchronizedMap(new HashMap<>());
    }
    try {
      if (value instanceof ServiceLoader) {
        // Finds what the calling thread's context has, which are the job's classes.
        return ServiceLoader.load(serviceOf((ServiceLoader<?>) value));
      }
      if (value.getClass().getEnclosingClass() == FileSystem.class) {
        // Its cache wants a configuration; to read one for each task would take milliseconds.
        return configured(value.getClass());
      }
      Constructor<?> constructor = value.getClass().getDeclaredConstructor();
      constructor.setAccessible(true);
      return constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("there is no empty " + value.getClass().getName(), e);
    }
  }

  private static Class<?> serviceOf(ServiceLoader<?> loader) throws ReflectiveOperationException {
    Field service = ServiceLoader.class.getDeclaredField("service");
    service.setAccessible(true);
    return (Class<?>) service.get(loader);
  }

  private static Object configured(Class<?> type) throws ReflectiveOperationException {
    Constructor<?> constructor = type.getDeclaredConstructor(Configuration.class);
    constructor.setAccessible(true);
    return constructor.newInstance(new Configuration(false));
  }

  /** Zero, false or null for a field of a type with this descriptor. */
  static Object zero(String descriptor) {
    switch (descriptor) {
      case "Z":
        return false;
      case "B":
        return (byte) 0;
      case "S":
        return (short) 0;
      case "C":
        return (char) 0;
      case "I":
        return 0;
      case "J":
        return 0L;
      case "F":
        return 0f;
      case "D":
        return 0d;
      default:
        return null;
    }
  }
}
