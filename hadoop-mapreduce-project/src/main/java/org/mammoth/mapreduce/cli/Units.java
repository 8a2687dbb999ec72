// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.cli;

import java.util.Locale;

/** Numbers as people read them. */
final class Units {

  private static final long KIB = 1024;
  private static final String[] BYTES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  private static final long SECOND_MS = 1_000;
  private static final long MINUTE_MS = 60 * SECOND_MS;
  private static final long HOUR_MS = 60 * MINUTE_MS;

  private Units() {}

  /** Bytes with three digits at most before and one after the point: {@code 1.5 GiB}. */
  static String bytes(double bytes) {
    double value = bytes;
    int unit = 0;
    while (Math.abs(value) >= KIB && unit < BYTES.length - 1) {
      value /= KIB;
      unit++;
    }
    return unit == 0
        ? String.format(Locale.ROOT, "%.0f B", value)
        : String.format(Locale.ROOT, "%.1f %s", value, BYTES[unit]);
  }

  /** A duration: {@code 250 ms}, {@code 4.2 s}, {@code 3m 10s}, {@code 5h 02m}. */
  static String time(long ms) {
    if (ms < SECOND_MS) {
      return ms + " ms";
    }
    if (ms < MINUTE_MS) {
      return String.format(Locale.ROOT, "%.1f s", ms / (double) SECOND_MS);
    }
    if (ms < HOUR_MS) {
      return String.format(Locale.ROOT, "%dm %02ds", ms / MINUTE_MS, ms % MINUTE_MS / SECOND_MS);
    }
    return String.format(Locale.ROOT, "%dh %02dm", ms / HOUR_MS, ms % HOUR_MS / MINUTE_MS);
  }

  /** A part of a whole: {@code 45 %}. */
  static String percent(long part, long whole) {
    return whole <= 0 ? "-" : Math.round(100.0 * part / whole) + " %";
  }
}
