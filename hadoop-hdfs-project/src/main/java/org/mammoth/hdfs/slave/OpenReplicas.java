// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Replicas that somebody reads or writes, or did lately. Upstream does not say when it has sent
 * what was asked for, but the thread that sends it is named after it until then, and so is one that
 * receives a block. A reader may ask for a block in pieces, as Mammoth's engines do when they read
 * in turns: each use counts for a moment longer. Safe for any thread.
 */
final class OpenReplicas {

  /** How long a client counts that holds its connection and does not go on. */
  static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Between two pieces: turns of some other readers of the disk, and what a map needs for one. */
  static final long PIECES_APART_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** How long a replica that was used is remembered. */
  static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(2);

  private record Replica(String pool, long blockId) {}

  /** The latest use of a replica, and when it began. */
  private record Use(Thread thread, long since) {}

  private final LongSupplier nanoClock;
  private final Map<Replica, Use> uses = new ConcurrentHashMap<>();

  /** When the latest of them began: a busy DataNode need not look at all. */
  private volatile long latest;

  /**
   * @param nanoClock goes forward only
   */
  OpenReplicas(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** A thread begins to send or to receive a replica, or a part of it. */
  void begin(String pool, long blockId, Thread thread) {
    long now = nanoClock.getAsLong();
    latest = now;
    uses.put(new Replica(pool, blockId), new Use(thread, now));
  }

  /** Whether any replica is being read or written. */
  boolean any() {
    if (uses.isEmpty()) {
      return false;
    }
    return nanoClock.getAsLong() - latest < PIECES_APART_NANOS
        || uses.entrySet().stream().anyMatch(this::isOpen);
  }

  /** Whether a replica, or a part of it, is being read or written or was two minutes ago. */
  boolean remembers(String pool, long blockId) {
    return uses.containsKey(new Replica(pool, blockId));
  }

  private boolean isOpen(Map.Entry<Replica, Use> entry) {
    Use use = entry.getValue();
    long age = nanoClock.getAsLong() - use.since;
    boolean goesOn =
        age < LONGEST_NANOS
            && use.thread.isAlive()
            && use.thread.getName().contains(":blk_" + entry.getKey().blockId + "_");
    return goesOn || age < PIECES_APART_NANOS;
  }

  /** Forgets what was used long ago; call with each heartbeat. */
  void forgetOld() {
    uses.entrySet()
        .removeIf(
            entry ->
                nanoClock.getAsLong() - entry.getValue().since >= REMEMBERED_NANOS
                    && !isOpen(entry));
  }
}
