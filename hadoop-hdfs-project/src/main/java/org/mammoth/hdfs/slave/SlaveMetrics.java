// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a slave counts. Safe for any thread; a read adds to three counters and allocates nothing.
 */
final class SlaveMetrics {

  /** Why copies leave. */
  enum Reason {
    /** For whatever reason. */
    ANY,
    /** Found by the store: checksum, changed replica, failed file or directory. */
    LOST,
    /** Found while it was read: a byte differed from the replica's checksums. */
    CORRUPT,
    /** HDFS changed or deleted the replica. */
    REPLICA_CHANGED
  }

  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder hitBytes = new LongAdder();
  private final LongAdder missBytes = new LongAdder();
  private final LongAdder servedBytes = new LongAdder();
  private final AtomicLongArray left = new AtomicLongArray(Reason.values().length);

  void read(long blockBytes, boolean hit) {
    (hit ? hits : misses).increment();
    (hit ? hitBytes : missBytes).add(blockBytes);
  }

  void served(long bytes) {
    servedBytes.add(bytes);
  }

  void hasLeft(Reason reason) {
    left.incrementAndGet(reason.ordinal());
  }

  long hits() {
    return hits.sum();
  }

  long misses() {
    return misses.sum();
  }

  long hitBytes() {
    return hitBytes.sum();
  }

  long missBytes() {
    return missBytes.sum();
  }

  long servedBytes() {
    return servedBytes.sum();
  }

  long left(Reason reason) {
    return left.get(reason.ordinal());
  }

  /** Copies that left on a master's order, or for localized data when there was no master. */
  long ordered() {
    return Math.max(
        0,
        left.get(Reason.ANY.ordinal())
            - left.get(Reason.LOST.ordinal())
            - left.get(Reason.CORRUPT.ordinal())
            - left.get(Reason.REPLICA_CHANGED.ordinal()));
  }
}
