// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.util.Locale;
import java.util.TimeZone;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * The default locales and time zone that a task has set for itself. What it has not set is the
 * JVM's. Thread-safe.
 */
final class TaskDefaults {
  private volatile Locale locale;
  private volatile Locale display;
  private volatile Locale format;
  private volatile TimeZone zone;

  private TaskDefaults() {}

  static TaskDefaults of(TaskProcess process) {
    return process.part(TaskDefaults.class, TaskDefaults::new);
  }

  /**
   * What the calling thread's task has set, called by the JDK's own code ({@link DefaultsHook}).
   *
   * @param key {@link DefaultsHook#LOCALE}, {@link DefaultsHook#ZONE}, or the category of a locale
   * @return null if the JVM's counts
   */
  static Object ofCaller(Object key) {
    TaskProcess process = Owners.callerOrNull();
    return process == null ? null : of(process).get(key);
  }

  private Object get(Object key) {
    if (key == Locale.Category.DISPLAY) {
      return display;
    }
    if (key == Locale.Category.FORMAT) {
      return format;
    }
    return DefaultsHook.ZONE.equals(key) ? zone : DefaultsHook.LOCALE.equals(key) ? locale : null;
  }

  /** As {@code Locale.setDefault}. */
  void locale(Locale set) {
    display = set;
    format = set;
    locale = set;
  }

  /** As {@code Locale.setDefault} for a category. */
  void locale(Locale.Category category, Locale set) {
    if (category == Locale.Category.DISPLAY) {
      display = set;
    } else {
      format = set;
    }
  }

  /** As {@code TimeZone.setDefault}: null for the JVM's. */
  void zone(TimeZone set) {
    zone = set == null ? null : (TimeZone) set.clone();
  }
}
