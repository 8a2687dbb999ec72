// SPDX-License-Identifier: Apache-2.0
package org.mammoth.config;

import java.lang.reflect.Field;
import java.util.List;
import java.util.stream.Stream;

/** Finds declarations, so that none can be declared and not listed. */
public final class Keys {

  private Keys() {}

  /** The public constants of public classes that are keys, in the order of their declaration. */
  public static List<ConfigKey<?>> in(Class<?>... declaring) {
    return Stream.of(declaring)
        .flatMap(type -> Stream.of(type.getDeclaredFields()))
        .filter(field -> field.getType() == ConfigKey.class)
        .map(Keys::value)
        .toList();
  }

  private static ConfigKey<?> value(Field field) {
    try {
      return (ConfigKey<?>) field.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field + " is not public", e);
    }
  }
}
