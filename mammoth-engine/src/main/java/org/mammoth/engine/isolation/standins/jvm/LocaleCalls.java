// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import java.util.Locale;
import java.util.Objects;
import java.util.TimeZone;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code calls instead of setting the JVM's locale or time zone, which the JDK reads
 * everywhere: the task's own ({@link DefaultsHook}), or it goes on in a process. Stateless,
 * thread-safe.
 */
public final class LocaleCalls {
  private static final String OF_LOCALE = "Locale.setDefault";

  private LocaleCalls() {}

  /** {@code Locale.setDefault}. */
  @Replaces(Locale.class)
  public static void setDefault(Locale locale) {
    TaskDefaults own = own(OF_LOCALE);
    if (own == null) {
      Locale.setDefault(locale);
    } else {
      own.locale(Objects.requireNonNull(locale, "Can't set default locale to NULL"));
    }
  }

  /** {@code Locale.setDefault}. */
  @Replaces(Locale.class)
  public static void setDefault(Locale.Category category, Locale locale) {
    TaskDefaults own = own(OF_LOCALE);
    if (own == null) {
      Locale.setDefault(category, locale);
    } else {
      own.locale(
          Objects.requireNonNull(category, "Category cannot be NULL"),
          Objects.requireNonNull(locale, "Can't set default locale to NULL"));
    }
  }

  /** {@code TimeZone.setDefault}. */
  @Replaces(TimeZone.class)
  public static void setDefault(TimeZone zone) {
    TaskDefaults own = own("TimeZone.setDefault");
    if (own == null) {
      TimeZone.setDefault(zone);
    } else {
      own.zone(zone);
    }
  }

  /**
   * Those of the calling task; null if none calls.
   *
   * @throws TaskExit if this JVM cannot give it its own
   */
  private static TaskDefaults own(String call) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      return null;
    }
    DefaultsHook hook = DefaultsHook.installedOrNull();
    if (hook == null) {
      ProcessNeed.because(call);
      return null;
    }
    return hook.of(process);
  }
}
