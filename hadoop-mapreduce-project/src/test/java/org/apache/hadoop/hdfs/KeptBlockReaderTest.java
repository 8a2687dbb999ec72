// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.ReduceSplit;
import org.mammoth.engine.datacache.BlockIdentity;
import org.mammoth.engine.datacache.DataCache;
import org.mammoth.engine.datacache.DataCacheSettings;
import org.mammoth.engine.datacache.FileIdentity;
import org.mammoth.engine.datacache.KeptFile;
import org.mammoth.engine.datacache.KeptWriter;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.MapMemory;
import org.mammoth.engine.memory.SchedulerSettings;

/** A block that leaves memory while it is read is the same block. */
class KeptBlockReaderTest {

  private static final int UNIT = 4096;
  private static final int UNITS = 10;

  /** Where the block begins in its file. */
  private static final int START = UNIT + 100;

  private final byte[] file = new byte[UNITS * UNIT - 5];
  private final byte[] block = Arrays.copyOfRange(file, START, file.length);
  private final LeakCheckingPool pool = new LeakCheckingPool(BufferType.DIRECT, UNIT, UNITS);
  private final CacheScheduler scheduler =
      new CacheScheduler(
          pool,
          new Ledger((long) UNIT * UNITS),
          new SchedulerSettings(0.9, 0.75, 1, ReduceSplit.EVEN, 64),
          System::nanoTime);
  private final DataCache cache =
      new DataCache(
          scheduler.spares(),
          UNITS,
          new DataCacheSettings(1 << 20, List.of(), 1_000),
          System::nanoTime);
  private final MapMemory map = scheduler.registerMap(new LeaseOwner("ann", "j", "m"), 1);
  private final List<CacheUnit> sorted = new ArrayList<>();
  private final List<Long> asked = new ArrayList<>();
  private KeptFile kept;
  private long fromMemory;
  private long badFrom = Long.MAX_VALUE;

  @BeforeEach
  void write() {
    new Random(3).nextBytes(file);
    System.arraycopy(file, START, block, 0, block.length);
    KeptWriter writer = cache.begin("/out/p", "j");
    writer.append(file, 0, file.length);
    writer.admit(new BlockIdentity("bp", 1, 2, block.length));
    kept = cache.find(new FileIdentity("bp", 1, 2, block.length, file.length), "/out/p");
  }

  @AfterEach
  void nothingIsLent() {
    sorted.forEach(map.sort()::give);
    map.close();
    cache.close();
    pool.close();
  }

  /** Sorts take so many units, the last of the file first. */
  private void need(int units) {
    for (int i = 0; i < units; i++) {
      CacheUnit unit = map.sort().poll();
      unit.put(0, new byte[UNIT], 0, UNIT);
      sorted.add(unit);
    }
  }

  private KeptBlockReader open(long from, long length) {
    BlockSource.Opener datanode =
        (offset, bytes) -> {
          asked.add(offset);
          return new BlockInMemory(block, offset, bytes, badFrom);
        };
    return new KeptBlockReader(
        kept, START, from, length, datanode, 3, bytes -> fromMemory += bytes);
  }

  @Test
  void allOfItComesFromMemory() throws IOException {
    KeptBlockReader reader = open(10, block.length - 10);
    byte[] some = new byte[2 * UNIT];
    reader.readFully(some, 0, some.length);
    assertThat(some).isEqualTo(Arrays.copyOfRange(block, 10, 10 + some.length));
    assertThat(reader.skip(500)).isEqualTo(500);
    ByteBuffer rest = ByteBuffer.allocate(2 * block.length);
    while (reader.read(rest) >= 0) {
      assertThat(rest.limit()).as("left as it was").isEqualTo(rest.capacity());
    }
    assertThat(Arrays.copyOf(rest.array(), rest.position()))
        .isEqualTo(Arrays.copyOfRange(block, 510 + some.length, block.length));
    assertThat(fromMemory).isEqualTo(block.length - 510);
    assertThat(reader.getNetworkDistance()).isEqualTo(3);
    assertThat(asked).isEmpty();
  }

  @Test
  void whatHasGoneComesFromTheDataNode() throws IOException {
    KeptBlockReader reader = open(0, block.length);
    byte[] all = new byte[block.length];
    int first = reader.read(all, 0, 700);
    need(UNITS - 2);
    reader.readFully(all, first, all.length - first);
    assertThat(all).isEqualTo(block);
    assertThat(fromMemory).isEqualTo(2L * UNIT - START);
    assertThat(asked).containsExactly(2L * UNIT - START);
    assertThat(reader.read(all, 0, 1)).isEqualTo(-1);
    assertThat(reader.getNetworkDistance()).isEqualTo(BlockInMemory.DISTANCE);
    reader.close();
  }

  @Test
  void aReaderOfTheDataNodeSkipsAsUpstreams() throws IOException {
    need(UNITS);
    KeptBlockReader reader = open(0, block.length);
    byte[] one = new byte[1];
    assertThat(reader.read(ByteBuffer.wrap(one))).isEqualTo(1);
    assertThat(reader.skip(999)).isEqualTo(999);
    assertThat(reader.read(one, 0, 1)).isEqualTo(1);
    assertThat(one[0]).isEqualTo(block[1000]);
    assertThat(asked).containsExactly(0L);
    assertThat(fromMemory).isZero();
  }

  /** Zero-copy reads are of the block's file. */
  @Test
  void whoAsksForTheBlocksMemoryGetsItFromItsFile() throws Exception {
    ClientMmap mapped = MappedBlock.mapping();
    BlockSource.Opener datanode = (offset, bytes) -> new MappedBlock(block, offset, bytes, mapped);
    KeptBlockReader reader =
        new KeptBlockReader(kept, START, 0, block.length, datanode, 3, bytes -> {});
    reader.readFully(new byte[700], 0, 700);
    assertThat(reader.getClientMmap(EnumSet.noneOf(ReadOption.class))).isSameAs(mapped);
    assertThat(reader.available()).isEqualTo(block.length - 700);
    assertThat(reader.skip(100)).isEqualTo(100);
    byte[] rest = new byte[block.length - 800];
    reader.readFully(rest, 0, rest.length);
    assertThat(rest).isEqualTo(Arrays.copyOfRange(block, 800, block.length));
    reader.close();
  }

  @Test
  void aSocketHasNoMemoryAndIsAskedOnce() throws Exception {
    KeptBlockReader reader = open(0, block.length);
    assertThat(reader.getClientMmap(EnumSet.noneOf(ReadOption.class))).isNull();
    assertThat(reader.getClientMmap(EnumSet.noneOf(ReadOption.class))).isNull();
    assertThat(asked).containsExactly(0L);
    reader.readFully(new byte[700], 0, 700);
    assertThat(fromMemory).isEqualTo(700);
    reader.close();
  }

  /** As with dfs.client.mmap.enabled off, or checksums that have to be compared. */
  @Test
  void whatMayNotBeMappedGoesOnToComeFromMemory() throws Exception {
    BlockSource.Opener datanode =
        (offset, bytes) -> {
          asked.add(offset);
          return new MappedBlock(block, offset, bytes, null);
        };
    KeptBlockReader reader =
        new KeptBlockReader(
            kept, START, 0, block.length, datanode, 3, bytes -> fromMemory += bytes);
    byte[] all = new byte[block.length];
    for (int from = 0; from < all.length; from += 700) {
      assertThat(reader.getClientMmap(EnumSet.noneOf(ReadOption.class))).isNull();
      reader.readFully(all, from, Math.min(700, all.length - from));
    }
    assertThat(all).isEqualTo(block);
    assertThat(asked).containsExactly(0L);
    assertThat(fromMemory).isEqualTo(block.length);
    reader.close();
  }

  @Test
  void errorsAreTheDataNodes() throws IOException {
    badFrom = 0;
    need(UNITS);
    assertThatThrownBy(() -> open(0, 10).read(new byte[10], 0, 10))
        .isInstanceOf(ChecksumException.class);
    badFrom = Long.MAX_VALUE;
    assertThatThrownBy(() -> open(0, 10).readFully(new byte[20], 0, 20))
        .isInstanceOf(EOFException.class);
  }
}
