// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.ShuffleKeys;

/**
 * Bounds of {@link RangeReads}.
 *
 * @param openFiles descriptors that stay open on each disk
 * @param idleNanos how long one stays open that is not used
 * @param aheadBytes most that is read before it is asked for, of all disks together
 */
public record RangeSettings(int openFiles, long idleNanos, long aheadBytes) {

  /**
   * Reads the keys.
   *
   * @throws IllegalArgumentException if a value is out of its range
   */
  public static RangeSettings of(Configuration conf) {
    return new RangeSettings(
        Math.toIntExact(ShuffleKeys.OPEN_FILES.get(conf)),
        TimeUnit.MILLISECONDS.toNanos(ShuffleKeys.OPEN_FILES_IDLE_MS.get(conf)),
        ShuffleKeys.READ_AHEAD_BYTES.get(conf));
  }
}
