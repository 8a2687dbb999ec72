package org.mammoth.hdfs.slave;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.mammoth.mpcache.slave.BlockKey;

/**
 * Replicas that are being sent. Upstream does not say when it has sent one, but the thread that
 * sends it is named after it until then. Safe for any thread.
 */
final class OpenReads {

  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(5);

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
   * Whether the replica is being sent by whoever began last; after five minutes it no longer
   * counts.
   */
  boolean isOpen(BlockKey key) {
    Read read = reads.get(key);
    if (read == null) {
      return false;
    }
    boolean open =
        read.sender().isAlive()
            && read.sender().getName().contains(":blk_" + key.blockId() + "_")
            && nanoClock.getAsLong() - read.since() < LONGEST_NANOS;
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
