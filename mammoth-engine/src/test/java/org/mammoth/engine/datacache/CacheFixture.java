// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.ReduceSplit;
import org.mammoth.engine.memory.BufferKind;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.MapMemory;
import org.mammoth.engine.memory.SchedulerSettings;

/** A data cache over a small pool that notices leaks, with a clock that only tests move. */
final class CacheFixture implements AutoCloseable {

  static final int UNIT = 256;

  final LeakCheckingPool pool;
  final Ledger ledger;
  final CacheScheduler scheduler;
  final DataCache cache;
  long nanos;
  private long nextBlock;

  CacheFixture(int units, String... paths) {
    this(units, units, 1 << 20, paths);
  }

  CacheFixture(int units, long most, long maxFile, String... paths) {
    pool = new LeakCheckingPool(BufferType.DIRECT, UNIT, units);
    ledger = new Ledger((long) UNIT * units);
    scheduler =
        new CacheScheduler(
            pool, ledger, new SchedulerSettings(0.9, 0.75, 1, ReduceSplit.EVEN, 64), () -> nanos);
    cache =
        new DataCache(
            scheduler.spares(),
            most,
            new DataCacheSettings(maxFile, List.of(paths), 1_000),
            () -> nanos);
  }

  MapMemory map(String job) {
    return scheduler.registerMap(new LeaseOwner("ann", job, "m"), 1);
  }

  static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** The last block of a new file. */
  BlockIdentity block(long length) {
    return new BlockIdentity("bp", ++nextBlock, 7, length);
  }

  static FileIdentity identity(BlockIdentity block, long length) {
    return new FileIdentity(block.pool(), block.block(), block.stamp(), block.length(), length);
  }

  /** Writes a file in pieces and closes it. */
  FileIdentity write(String path, String job, byte[] bytes) {
    KeptWriter writer = cache.begin(path, job);
    for (int at = 0; at < bytes.length; at += 100) {
      writer.append(bytes, at, Math.min(100, bytes.length - at));
    }
    BlockIdentity last = block(bytes.length);
    writer.admit(last);
    return identity(last, bytes.length);
  }

  /** All that is in memory of a file from its beginning on. */
  static byte[] read(KeptFile file) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] some = new byte[70];
    while (all.size() < file.length()) {
      int count = file.read(all.size(), some, 0, some.length);
      if (count < 0) {
        break;
      }
      all.write(some, 0, count);
    }
    return all.toByteArray();
  }

  /** Ends the test: nothing is lent or charged any more. */
  @Override
  public void close() {
    cache.close();
    assertThat(cache.snapshot(1).heldBytes()).isZero();
    assertThat(ledger.used(BufferKind.DATA_CACHE)).isZero();
    pool.close();
  }
}
