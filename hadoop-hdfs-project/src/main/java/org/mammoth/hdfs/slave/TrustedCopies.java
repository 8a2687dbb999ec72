package org.mammoth.hdfs.slave;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.mammoth.mpcache.slave.BandwidthLimiter;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.BlockStore;
import org.mammoth.mpcache.slave.Pace;

/**
 * Copies that are handed to clients as open files, whose bytes nobody here sees again: each is read
 * and compared as a whole before, unless that was done a short while ago.
 *
 * <p>Safe for any thread.
 */
final class TrustedCopies {

  private final BlockStore store;
  private final long trustNanos;
  private final LongSupplier nanoClock;
  private final BandwidthLimiter unlimited = new BandwidthLimiter(Pace.ofSystem(), 0);
  private final Map<BlockKey, Long> checked = new ConcurrentHashMap<>();

  /**
   * @param trustNanos how long one comparison counts
   * @param nanoClock goes forward only
   */
  TrustedCopies(BlockStore store, long trustNanos, LongSupplier nanoClock) {
    this.store = store;
    this.trustNanos = trustNanos;
    this.nanoClock = nanoClock;
  }

  /** Compares a copy if need be; one that is bad is gone afterwards. */
  void check(BlockKey key) {
    Long last = checked.get(key);
    long now = nanoClock.getAsLong();
    if (last != null && now - last < trustNanos || !store.holds(key)) {
      return;
    }
    try {
      if (store.verify(key, unlimited)) {
        checked.put(key, now);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void forget(BlockKey key) {
    checked.remove(key);
  }
}
