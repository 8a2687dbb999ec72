package org.mammoth.hdfs.slave;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.mammoth.mpcache.slave.BlockKey;

/**
 * Replicas that are being read. Upstream does not say when it has sent what was asked for, but the
 * thread that sends it is named after it until then. A reader may ask for a block in pieces, as
 * Mammoth's engines do when they read in turns, so that a piece that was asked for a moment ago
 * counts though it has been sent. Safe for any thread.
 */
final class OpenReads {

  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Between two pieces: turns of some other readers of the disk, and what a map needs for one. */
  private static final long PIECES_APART_NANOS = TimeUnit.SECONDS.toNanos(5);

  private record Read(Thread sender, long since) {}

  private final LongSupplier nanoClock;
  private final Map<BlockKey, Read> reads = new ConcurrentHashMap<>();

  /**
   * @param nanoClock goes forward only
   */
  OpenReads(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** A thread begins to send a replica. */
  void begin(BlockKey key, Thread sender) {
    reads.put(key, new Read(sender, nanoClock.getAsLong()));
  }

  /**
   * Whether the replica is being sent to whoever asked last, or he asked so lately that he may want
   * the next piece; after five minutes he no longer counts.
   */
  boolean isOpen(BlockKey key) {
    Read read = reads.get(key);
    if (read == null) {
      return false;
    }
    long age = nanoClock.getAsLong() - read.since();
    boolean sends =
        read.sender().isAlive()
            && read.sender().getName().contains(":blk_" + key.blockId() + "_")
            && age < LONGEST_NANOS;
    boolean open = sends || age < PIECES_APART_NANOS;
    if (!open) {
      reads.remove(key, read);
    }
    return open;
  }

  /** Forgets those that have ended. */
  void forgetEnded() {
    reads.keySet().forEach(this::isOpen);
  }
}
