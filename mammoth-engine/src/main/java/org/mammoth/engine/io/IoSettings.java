// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.IoKeys;

/**
 * The I/O scheduler's part of a node's configuration, see {@link IoKeys}. Times are nanoseconds,
 * sizes bytes.
 *
 * @param unitBytes the size of a cache unit
 * @param queueBytes most that one file may have waiting
 * @param burstUnits most units that one turn moves on a spinning disk; one on any other
 */
public record IoSettings(
    int unitBytes,
    int threadsPerDisk,
    long queueBytes,
    int burstUnits,
    int readBufferBytes,
    boolean checksum,
    long agingNanos,
    int agingTurns,
    Outage outage) {

  /** When a directory or disk is left out, and when it is tried again. */
  public record Outage(
      long quarantineNanos, long fullRetryNanos, long fullFreeBytes, long stallNanos) {}

  /**
   * Reads the keys.
   *
   * @param unitBytes size of a cache unit
   * @throws IllegalArgumentException if a value is out of its range
   */
  public static IoSettings of(Configuration conf, int unitBytes) {
    return new IoSettings(
        unitBytes,
        Math.toIntExact(IoKeys.THREADS_PER_DISK.get(conf)),
        IoKeys.QUEUE_UNITS.get(conf) * unitBytes,
        Math.toIntExact(IoKeys.BURST_UNITS.get(conf)),
        (int) Math.min(IoKeys.READ_BUFFER_KB.get(conf) << 10, unitBytes),
        IoKeys.CHECKSUM.get(conf),
        TimeUnit.MILLISECONDS.toNanos(IoKeys.AGING_AFTER_MS.get(conf)),
        Math.toIntExact(IoKeys.AGING_TURNS.get(conf)),
        new Outage(
            TimeUnit.MILLISECONDS.toNanos(IoKeys.QUARANTINE_TIME_MS.get(conf)),
            TimeUnit.MILLISECONDS.toNanos(IoKeys.FULL_RETRY_MS.get(conf)),
            IoKeys.FULL_FREE_MB.get(conf) << 20,
            TimeUnit.MILLISECONDS.toNanos(IoKeys.STALL_TIMEOUT_MS.get(conf))));
  }
}
