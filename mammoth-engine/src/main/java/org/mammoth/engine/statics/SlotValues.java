// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** Makes what a process starts with from what the engine has. Stateless. */
final class SlotValues {

  private SlotValues() {}

  /** A new object of the same class, or kind of map. */
  static Object emptyLike(Object value) {
    if (value instanceof Map && value.getClass() == Containers.SYNCHRONIZED_MAP) {
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
