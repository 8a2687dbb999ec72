// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.MemoryKeys;
import org.mammoth.engine.config.ReduceSplit;

/**
 * What the cache scheduler may be told.
 *
 * @param highWatermark part of the pool in use from which on there is pressure, 0 to 1
 * @param lowWatermark part of the pool in use below which there is none, 0 to {@code highWatermark}
 * @param guaranteedUnits units each running map can always get, at least 1
 * @param split how reduces share
 * @param decisions events the ring holds, at least 1
 */
public record SchedulerSettings(
    double highWatermark,
    double lowWatermark,
    int guaranteedUnits,
    ReduceSplit split,
    int decisions) {

  /** Refuses watermarks that would never, or always, be crossed. */
  public SchedulerSettings {
    if (!(lowWatermark > 0 && lowWatermark <= highWatermark && highWatermark <= 1)) {
      throw new IllegalArgumentException(
          "the watermarks are "
              + lowWatermark
              + " and "
              + highWatermark
              + "; "
              + MemoryKeys.LOW_WATERMARK.name()
              + " must be above 0 and not above "
              + MemoryKeys.HIGH_WATERMARK.name());
    }
    if (guaranteedUnits < 1) {
      throw new IllegalArgumentException(
          "a map cannot run on " + guaranteedUnits + " units; raise " + guaranteedKey());
    }
  }

  /** What the configuration says. */
  public static SchedulerSettings of(Configuration conf) {
    return new SchedulerSettings(
        MemoryKeys.HIGH_WATERMARK.get(conf),
        MemoryKeys.LOW_WATERMARK.get(conf),
        (int) (long) MemoryKeys.GUARANTEED_UNITS.get(conf),
        MemoryKeys.REDUCE_SPLIT.get(conf),
        (int) (long) MemoryKeys.DECISIONS.get(conf));
  }

  private static String guaranteedKey() {
    return MemoryKeys.GUARANTEED_UNITS.name();
  }
}
