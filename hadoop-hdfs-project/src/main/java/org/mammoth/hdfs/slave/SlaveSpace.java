// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.mpcache.config.MpCacheKeys;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.BlockStore;
import org.mammoth.mpcache.slave.CacheMaster;
import org.mammoth.mpcache.slave.SsdDirectory;
import org.mammoth.mpcache.space.DynamicSpaceTuner;
import org.mammoth.mpcache.space.SpaceMaker;
import org.mammoth.mpcache.space.SpaceReport;
import org.mammoth.mpcache.space.SpaceShares;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A slave's SSD directories and how they are divided. Space of a directory that has failed is taken
 * out of all shares. Safe for any thread once the store is known.
 */
final class SlaveSpace {

  private static final Logger LOG = LoggerFactory.getLogger(SlaveSpace.class);

  private final List<SsdDirectory> directories;
  private final DynamicSpaceTuner tuner;
  private volatile BlockStore store;

  @GuardedBy("this")
  private Configuration conf;

  @GuardedBy("this")
  private long healthyBytes;

  /**
   * @param spaceMaker evicts input when localized data needs its space
   * @throws IllegalArgumentException if the shares are wrong
   */
  SlaveSpace(Configuration conf, List<SsdDirectory> directories, SpaceMaker spaceMaker) {
    this.conf = conf;
    this.directories = directories;
    healthyBytes = capacity();
    tuner =
        new DynamicSpaceTuner(
            shares(conf, healthyBytes), MpCacheKeys.GUARD.get(conf), this::inputUsed, spaceMaker);
  }

  /** The store over these directories; called once, before anything else. */
  void store(BlockStore blocks) {
    store = blocks;
  }

  private static SpaceShares shares(Configuration conf, long total) {
    return SpaceShares.of(
        total,
        MpCacheKeys.SHARE_INPUT.get(conf),
        MpCacheKeys.SHARE_LOCALIZED.get(conf),
        MpCacheKeys.POOL_BLOCK_MB.get(conf) << 20);
  }

  private long capacity() {
    return directories.stream().mapToLong(SsdDirectory::capacity).sum();
  }

  private long inputUsed() {
    return store == null ? 0 : store.inputUsed();
  }

  long inputCapacity() {
    return tuner.inputCapacity();
  }

  SpaceReport report() {
    return tuner.report();
  }

  DynamicSpaceTuner tuner() {
    return tuner;
  }

  List<SsdDirectory> directories() {
    return directories;
  }

  /**
   * Takes changed shares and a changed guard value up. Localized data that is over its share stays
   * until it is given back; input that is over its share leaves when the master has heard of it.
   *
   * @param next the whole configuration; not changed by anybody later
   * @throws IllegalArgumentException if a value is wrong; nothing has changed then
   */
  synchronized void reconfigure(Configuration next) {
    double guard = MpCacheKeys.GUARD.get(next);
    SpaceShares shares = shares(next, healthyBytes);
    conf = next;
    tuner.guard(guard);
    tuner.reshape(shares);
  }

  /** Notices directories that have failed since. */
  synchronized void look() {
    long now = capacity();
    if (now != healthyBytes) {
      healthyBytes = now;
      tuner.reshape(shares(conf, now));
      for (SsdDirectory directory : directories) {
        if (!directory.healthy()) {
          LOG.warn(
              "SSD directory {} is left out until the next start: {} (mammoth.mpcache.dirs)",
              directory.path(),
              directory.failure());
        }
      }
    }
  }

  /** Drops copies without asking anybody, until that much is free. */
  void dropAny(long bytes, CacheMaster cache) {
    long left = bytes;
    for (BlockKey key : store.keys()) {
      if (left <= 0) {
        return;
      }
      cache.drop(key);
      left -= key.length();
    }
  }
}
