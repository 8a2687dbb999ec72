// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.buffers;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What Mammoth counts of one task attempt. It is kept apart from the attempt's live counters, which
 * the job's own limits hold for (upstream's {@code Limits}), and joins them only in what is sent to
 * the ApplicationMaster. Any thread.
 */
public final class OwnCounters {

  private final Map<Enum<?>, Long> values = new LinkedHashMap<>();

  /** Counts {@code count} more, which may be negative; lists the counter even if it stays 0. */
  public synchronized void add(Enum<?> counter, long count) {
    values.merge(counter, count, Long::sum);
  }

  /** Replaces the counter's value. */
  public synchronized void set(Enum<?> counter, long value) {
    values.put(counter, value);
  }

  /** A copy of all that were listed, in that order. */
  public synchronized Map<Enum<?>, Long> values() {
    return new LinkedHashMap<>(values);
  }
}
