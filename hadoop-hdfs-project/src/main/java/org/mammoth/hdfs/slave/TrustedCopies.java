package org.mammoth.hdfs.slave;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.mammoth.hdfs.dataset.CopyStream;
import org.mammoth.hdfs.dataset.Replicas;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.BlockStore;

/**
 * Copies that are handed to clients as open files, whose bytes nobody here sees again: each is
 * compared as a whole with the replica's checksums before, unless that was done a short while ago.
 *
 * <p>Safe for any thread.
 */
final class TrustedCopies {

  private final BlockStore store;
  private final Replicas replicas;
  private final Consumer<BlockKey> distrusted;
  private final long trustNanos;
  private final LongSupplier nanoClock;
  private final Map<BlockKey, Long> checked = new ConcurrentHashMap<>();

  /**
   * @param distrusted hears of copies that are bad
   * @param trustNanos how long one comparison counts
   * @param nanoClock goes forward only
   */
  TrustedCopies(
      BlockStore store,
      Replicas replicas,
      Consumer<BlockKey> distrusted,
      long trustNanos,
      LongSupplier nanoClock) {
    this.store = store;
    this.replicas = replicas;
    this.distrusted = distrusted;
    this.trustNanos = trustNanos;
    this.nanoClock = nanoClock;
  }

  /** Whether a copy may be handed out; without one the answer does not matter. */
  boolean check(BlockKey key) {
    Long last = checked.get(key);
    long now = nanoClock.getAsLong();
    if (last != null && now - last < trustNanos) {
      return true;
    }
    Optional<FileInputStream> copy = store.open(key, 0);
    if (copy.isEmpty()) {
      return true;
    }
    try {
      boolean whole = CopyStream.isWhole(key, copy.get(), replicas, () -> distrusted.accept(key));
      if (whole) {
        checked.put(key, now);
      }
      return whole;
    } catch (IOException e) {
      return false;
    }
  }

  void forget(BlockKey key) {
    checked.remove(key);
  }
}
