// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.mammoth.hdfs.replicas.CopyStream;
import org.mammoth.hdfs.replicas.Replicas;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.BlockStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies that are handed to clients as open files, whose bytes nobody here sees again: each is
 * compared as a whole with the replica's checksums before, unless that was done a short while ago.
 * With the copy goes a file of these checksums as they were then.
 *
 * <p>Safe for any thread.
 */
final class TrustedCopies {

  private static final Logger LOG = LoggerFactory.getLogger(TrustedCopies.class);

  private final BlockStore store;
  private final Replicas replicas;
  private final Consumer<BlockKey> distrusted;
  private final long trustNanos;
  private final LongSupplier nanoClock;
  private final Map<BlockKey, Checked> checked = new ConcurrentHashMap<>();

  /**
   * A copy that was compared.
   *
   * @param checksums null if no SSD took them: then the copy is not handed out
   */
  private record Checked(long nanos, Path checksums) {}

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
    Checked last = checked.get(key);
    long now = nanoClock.getAsLong();
    if (last != null && now - last.nanos() < trustNanos) {
      return last.checksums() != null;
    }
    Optional<FileInputStream> copy = store.open(key, 0);
    if (copy.isEmpty()) {
      return true;
    }
    try {
      boolean whole =
          CopyStream.isWhole(
              key, copy.get(), store.reader(key), replicas, () -> distrusted.accept(key));
      boolean kept = last != null && last.checksums() != null;
      return whole && (kept ? renew(key, last, now) : keep(key, last, now));
    } catch (IOException e) {
      return false;
    }
  }

  private boolean renew(BlockKey key, Checked last, long now) {
    checked.replace(key, last, new Checked(now, last.checksums()));
    return true;
  }

  private boolean keep(BlockKey key, Checked last, long now) throws IOException {
    byte[] sums;
    try (FileInputStream file = replicas.checksums(key)) {
      sums = file.readAllBytes();
    }
    // Looked at after the last checksum was read: an append since would have changed both.
    if (!replicas.finalized(key.pool(), key.blockId()).equals(Optional.of(key))) {
      return false;
    }
    Checked next = new Checked(now, kept(key, sums));
    boolean first =
        last == null ? checked.putIfAbsent(key, next) == null : checked.replace(key, last, next);
    if (!first) {
      drop(next);
    }
    if (!store.holds(key)) {
      forget(key);
    }
    return next.checksums() != null;
  }

  /** Null if no SSD takes them, which is no reason to read the whole copy at each open. */
  private Path kept(BlockKey key, byte[] sums) {
    try {
      return store.keep(key, sums);
    } catch (IOException e) {
      LOG.debug("No SSD takes the checksums of {}: it is read from its replica", key, e);
      return null;
    }
  }

  private void drop(Checked what) {
    if (what != null && what.checksums() != null) {
      store.unkeep(what.checksums());
    }
  }

  /** The checksums of a copy that was checked; empty if it has left since. */
  Optional<FileInputStream> checksums(BlockKey key) {
    Checked now = checked.get(key);
    try {
      return now == null || now.checksums() == null
          ? Optional.empty()
          : Optional.of(store.kept(now.checksums()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  void forget(BlockKey key) {
    drop(checked.remove(key));
  }
}
