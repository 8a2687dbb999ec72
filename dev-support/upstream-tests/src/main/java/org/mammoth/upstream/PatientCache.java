// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upstream;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.mammoth.hdfs.replicas.ReadCache;
import org.mammoth.mpcache.slave.BlockKey;

/**
 * A DataNode's cache whose first read of a block waits until the block has its copy, for {@value
 * #MOST_MS} ms at most: most tests read what they wrote once. Without it next to no test would read
 * from a copy. It counts what came from copies for {@link HdfsProof}.
 */
final class PatientCache implements ReadCache {

  static final LongAdder HITS = new LongAdder();
  static final LongAdder MISSES = new LongAdder();

  private static final long MOST_MS = 300;
  private static final long EACH_MS = 10;

  private final ReadCache slave;
  private final Set<BlockKey> waitedFor = ConcurrentHashMap.newKeySet();

  PatientCache(ReadCache slave) {
    this.slave = slave;
  }

  @Override
  public boolean serves(Thread reader) {
    return slave.serves(reader);
  }

  @Override
  public Optional<Served> read(BlockKey key, long offset, boolean told) {
    Optional<Served> served = slave.read(key, offset, told);
    if (served.isEmpty() && waitedFor.add(key)) {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOST_MS);
      while (served.isEmpty() && System.nanoTime() - end < 0 && rested()) {
        served = slave.read(key, offset, told);
      }
    }
    (served.isPresent() ? HITS : MISSES).increment();
    return served;
  }

  private static boolean rested() {
    try {
      Thread.sleep(EACH_MS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void writing(String pool, long blockId) {
    slave.writing(pool, blockId);
  }

  @Override
  public void poolAdded(String pool) {
    slave.poolAdded(pool);
  }

  @Override
  public void poolLeaves(String pool) {
    slave.poolLeaves(pool);
  }

  @Override
  public void changed(String pool, long blockId) {
    slave.changed(pool, blockId);
  }

  @Override
  public void close() {
    try {
      slave.close();
    } catch (Exception e) {
      throw new IllegalStateException("the cache of a DataNode does not end", e);
    }
  }
}
