// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.util.Locale;
import java.util.TimeZone;

/**
 * What rewritten code calls instead of setting the JVM's locale or time zone, which the JDK reads
 * everywhere: the task goes on in a process of its own. Stateless, thread-safe.
 */
public final class LocaleCalls {
  private LocaleCalls() {}

  /** {@code Locale.setDefault}. */
  @Replaces(Locale.class)
  public static void setDefault(Locale locale) {
    ProcessNeed.because("Locale.setDefault");
    Locale.setDefault(locale);
  }

  /** {@code Locale.setDefault}. */
  @Replaces(Locale.class)
  public static void setDefault(Locale.Category category, Locale locale) {
    ProcessNeed.because("Locale.setDefault");
    Locale.setDefault(category, locale);
  }

  /** {@code TimeZone.setDefault}. */
  @Replaces(TimeZone.class)
  public static void setDefault(TimeZone zone) {
    ProcessNeed.because("TimeZone.setDefault");
    TimeZone.setDefault(zone);
  }
}
