// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.libraries;

import java.lang.reflect.Field;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.LoggerFactory;

/**
 * Shutdown hooks that the JDK itself enters into the JVM's own list while it works for a task. They
 * would keep the task in memory until the JVM ends. Stateless, thread-safe.
 */
final class JvmHooks {

  /** Where the JDK has its list, which the class's monitor guards. */
  private static final class Jdk {
    static final Field LIST = find();

    private static Field find() {
      try {
        Field list = Class.forName("java.lang.ApplicationShutdownHooks").getDeclaredField("hooks");
        list.setAccessible(true);
        return list;
      } catch (ReflectiveOperationException | RuntimeException e) {
        LoggerFactory.getLogger(JvmHooks.class)
            .warn("The JVM's shutdown hooks are out of reach, and may keep tasks in memory", e);
        return null;
      }
    }
  }

  private JvmHooks() {}

  /**
   * Takes from the JVM's list what an action enters there.
   *
   * @return the hooks; none if the list is out of reach, or the JVM is ending
   */
  static List<Thread> takenFrom(Runnable action) {
    if (Jdk.LIST == null) {
      action.run();
      return List.of();
    }
    synchronized (Jdk.LIST.getDeclaringClass()) {
      Map<?, ?> hooks = read();
      Set<Object> before = Collections.newSetFromMap(new IdentityHashMap<>());
      before.addAll(hooks.keySet());
      action.run();
      List<Thread> entered =
          hooks.keySet().stream()
              .filter(hook -> !before.contains(hook))
              .map(Thread.class::cast)
              .toList();
      entered.forEach(hooks::remove);
      return entered;
    }
  }

  private static Map<?, ?> read() {
    try {
      Object list = Jdk.LIST.get(null);
      return list == null ? Map.of() : (Map<?, ?>) list;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
