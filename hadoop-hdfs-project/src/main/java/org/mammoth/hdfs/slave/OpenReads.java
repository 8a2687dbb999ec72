package org.mammoth.hdfs.slave;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.mammoth.mpcache.slave.BlockKey;

/**
 * Replicas that are being read. Upstream does not say when it has sent what was asked for, but the
 * thread that sends it is named after it until then. A reader may ask for a block in pieces, as
 * Mammoth's engines do when they read in turns, so that a piece from within the block counts for a
 * moment after it has been sent, but no block is waited for long that somebody always reads of.
 * Safe for any thread.
 */
final class OpenReads {

  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Between two pieces: turns of some other readers of the disk, and what a map needs for one. */
  private static final long PIECES_APART_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** For which pieces of a block are waited for. */
  private static final long PIECES_NANOS = TimeUnit.MINUTES.toNanos(2);

  /**
   * The latest read of a block.
   *
   * @param offset where it begins
   * @param firstSince when somebody began to read of the block
   */
  private record Read(Thread sender, long offset, long since, long firstSince) {}

  private final LongSupplier nanoClock;
  private final Map<BlockKey, Read> reads = new ConcurrentHashMap<>();

  /**
   * @param nanoClock goes forward only
   */
  OpenReads(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** A thread begins to send a replica, from {@code offset} on. */
  void begin(BlockKey key, long offset, Thread sender) {
    long now = nanoClock.getAsLong();
    reads.merge(
        key,
        new Read(sender, offset, now, now),
        (before, read) -> new Read(sender, offset, now, before.firstSince));
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
    boolean wantsMore =
        read.offset() > 0
            && age < PIECES_APART_NANOS
            && nanoClock.getAsLong() - read.firstSince() < PIECES_NANOS;
    boolean open = sends || wantsMore;
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
