// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.IoKeys;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.IoSettings;
import org.mammoth.engine.memory.InputWindows;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.mapreduce.buffers.InputReads;

/** A block read in bursts is the same block, and its errors are the same errors. */
@Timeout(60)
class AheadBlockReaderTest {

  private static final int MIB = 1 << 20;
  private static final int UNIT = 256 << 10;
  private static final int BURST = 4;

  @TempDir private Path folder;

  private final byte[] block = new byte[12 * MIB + 777];
  private final ConcurrentLinkedQueue<long[]> asked = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Integer> sumsReadAfter = new ConcurrentLinkedQueue<>();
  private final Ledger ledger = new Ledger(2L * BURST * UNIT);
  private InputWindows windows = new InputWindows(BufferType.DIRECT, UNIT, ledger);
  private volatile long badFrom = Long.MAX_VALUE;
  private ClientMmap mapped;
  private IoScheduler io;

  private InputReads reads;

  private BlockReader open(long from, long length) throws IOException {
    return open("/in", from, length);
  }

  private BlockReader open(String file, long from, long length) throws IOException {
    if (io == null) {
      new Random(3).nextBytes(block);
      Configuration conf = new Configuration(false);
      conf.setInt(IoKeys.BURST_UNITS.name(), BURST);
      io =
          IoScheduler.builder(IoSettings.of(conf, UNIT), List.of(folder))
              .spinning(dir -> true)
              .inputDirs(List.of(folder))
              .threads(
                  work -> {
                    Thread thread = new Thread(work, "disk");
                    thread.setDaemon(true);
                    return thread;
                  })
              .build();
    }
    reads = new InputReads(io, windows, "attempt_1", InputReads.HEAD_BYTES);
    return AheadBlockReader.open(new Asking(), file, from, length, reads);
  }

  /** A DataNode that notes what it is asked for. */
  private final class Asking implements BlockSource.Opener {
    @Override
    public BlockReader open(long offset, long length) {
      asked.add(new long[] {offset, length});
      return mapped != null
          ? new MappedBlock(block, offset, length, mapped)
          : new BlockInMemory(block, offset, length, badFrom);
    }

    @Override
    public void readChecksumsAhead() {
      sumsReadAfter.add(asked.size());
    }
  }

  @AfterEach
  void stop() {
    if (io != null) {
      io.close();
    }
  }

  @Test
  void whateverIsReadOrSkippedTheBytesAreTheBlocks() throws Exception {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      long at = random.nextInt(4 * MIB);
      long end = block.length - random.nextInt(2 * MIB);
      try (BlockReader reader = open(at, end - at)) {
        while (at < end) {
          at = step(reader, random, at, end);
        }
        assertThat(reader.read(new byte[1], 0, 1)).as("seed %d", seed).isEqualTo(-1);
      }
      awaitWindow();
    }
  }

  private long step(BlockReader reader, Random random, long at, long end) throws IOException {
    int wanted = 1 + random.nextInt(300_000);
    if (random.nextInt(6) == 0) {
      assertThat(reader.available()).isPositive();
      return at + reader.skip(Math.min(wanted, end - at));
    }
    byte[] into = new byte[wanted];
    int count;
    if (random.nextBoolean()) {
      ByteBuffer buffer =
          random.nextBoolean() ? ByteBuffer.wrap(into) : ByteBuffer.allocateDirect(wanted);
      count = reader.read(buffer);
      buffer.flip().get(into, 0, count);
    } else {
      count = reader.read(into, 0, wanted);
    }
    assertThat(count).isPositive();
    assertThat(Arrays.equals(into, 0, count, block, (int) at, (int) at + count)).isTrue();
    return at + count;
  }

  /** What the disk's thread was still filling comes back a moment after the close. */
  private void awaitWindow() {
    Awaitility.await()
        .until(
            () -> {
              InputWindows.Window window = windows.open(2 * BURST);
              if (window != null) {
                window.close();
              }
              return window != null;
            });
  }

  /** As upstream's seek does that goes forward by 2 GiB and more, and then opens another reader. */
  @Test
  void toSkipLessThanNothingSkipsNothing() throws Exception {
    try (BlockReader reader = open(0, 8L * MIB)) {
      assertThat(reader.skip(Integer.MIN_VALUE)).isZero();
      assertThat(reader.skip(0)).isZero();
      byte[] first = new byte[10];
      reader.readFully(first, 0, 10);
      assertThat(first).isEqualTo(Arrays.copyOf(block, 10));
    }
  }

  @Test
  void theDataNodeIsAskedForBursts() throws Exception {
    try (BlockReader reader = open(512, 8L * MIB)) {
      assertThat(reader.readAll(new byte[8 * MIB], 0, 8 * MIB)).isEqualTo(8 * MIB);
    }
    List<long[]> pieces = List.copyOf(asked);
    assertThat(pieces.get(0)).containsExactly(512, 2L * MIB - 512);
    long at = 2L * MIB;
    for (long[] piece : pieces.subList(1, pieces.size())) {
      assertThat(piece[0]).isEqualTo(at);
      assertThat(piece[1]).isLessThanOrEqualTo((long) BURST * UNIT);
      at += piece[1];
    }
    assertThat(at).isEqualTo(8L * MIB + 512);
    assertThat(sumsReadAfter).as("once, between the head and the first burst").containsExactly(1);
  }

  @Test
  void checksumsOfFewBurstsAreReadWithThem() throws Exception {
    try (BlockReader reader = open(0, 4L * MIB)) {
      assertThat(reader.readAll(new byte[4 * MIB], 0, 4 * MIB)).isEqualTo(4 * MIB);
    }
    assertThat(asked).hasSize(3);
    assertThat(sumsReadAfter).isEmpty();
  }

  @Test
  void whoReadsLittleCostsLittle() throws Exception {
    try (BlockReader reader = open(0, block.length)) {
      reader.readFully(new byte[100_000], 0, 100_000);
    }
    assertThat(asked).hasSize(1);
    assertThat(ledger.used()).isZero();
  }

  @Test
  void shortPartsAreReadAsEver() throws Exception {
    open(0, block.length).close();
    assertThat(AheadBlockReader.isWorthwhile(0, 3L * MIB, reads)).isTrue();
    assertThat(AheadBlockReader.isWorthwhile(0, 3L * MIB - 1, reads)).isFalse();
    assertThat(AheadBlockReader.isWorthwhile(MIB - 1, 2L * MIB, reads)).isFalse();
  }

  @Test
  void withoutMemoryTheRestIsReadAsEver() throws Exception {
    open(0, block.length).close();
    InputWindows.Window all = windows.open(2 * BURST);
    byte[] into = new byte[block.length];
    try (BlockReader reader = open(0, block.length)) {
      reader.readFully(into, 0, into.length);
    }
    assertThat(into).isEqualTo(block);
    all.close();
  }

  /** As names are that a locale does not know; no locale writes this one. */
  @Test
  void aNameThatIsNoneOfTheLocalFileSystemIsReadAsAnyOther() throws Exception {
    byte[] into = new byte[block.length];
    try (BlockReader reader = open("/in\u0000", 0, block.length)) {
      reader.readFully(into, 0, into.length);
    }
    assertThat(into).isEqualTo(block);
    assertThat(asked).as("in pieces").hasSizeGreaterThan(2);
  }

  /** The ledger grants what the JVM does not have. */
  @Test
  void whereTheJvmHasNoMemoryTheRestIsReadAsEver() throws Exception {
    // No JVM makes an array of this size.
    Ledger large = new Ledger(Long.MAX_VALUE);
    windows = new InputWindows(BufferType.ARRAY, Integer.MAX_VALUE, large);
    byte[] into = new byte[block.length];
    try (BlockReader reader = open(0, block.length)) {
      reader.readFully(into, 0, into.length);
    } catch (OutOfMemoryError e) {
      // JUnit gives up the whole run for that.
      throw new AssertionError(e);
    }
    assertThat(into).isEqualTo(block);
    assertThat(asked).hasSize(2);
    assertThat(large.used()).isZero();
  }

  /** DFSInputStream reports a corrupt replica by the class of what is thrown. */
  @Test
  void anErrorIsTheOneUpstreamsReaderThrew() throws Exception {
    badFrom = 6L * MIB;
    byte[] into = new byte[block.length];
    try (BlockReader reader = open(0, block.length)) {
      int good = 0;
      while (good < badFrom) {
        int count = reader.read(into, 0, UNIT);
        assertThat(Arrays.equals(into, 0, count, block, good, good + count)).isTrue();
        good += count;
      }
      assertThatThrownBy(() -> reader.read(into, 0, UNIT))
          .isExactlyInstanceOf(ChecksumException.class)
          .hasMessage("bad");
    }
    awaitWindow();
  }

  @Test
  void aKilledTasksMemoryComesBack() throws Exception {
    BlockReader left = open(0, block.length);
    left.readFully(new byte[3 * MIB], 0, 3 * MIB);
    assertThat(windows.open(1)).isNull();
    reads.close();
    io.abortAll("attempt_1");
    awaitWindow();
  }

  /** Zero-copy reads, from the head, from the border and from the rest. */
  @Test
  void whoAsksForTheBlocksMemoryGetsIt() throws Exception {
    mapped = MappedBlock.mapping();
    for (int at : new int[] {0, 100, 3 * MIB / 2, 2 * MIB, 5 * MIB + 1}) {
      try (BlockReader reader = open(0, block.length)) {
        reader.readFully(new byte[at], 0, at);
        assertThat(reader.getClientMmap(EnumSet.noneOf(ReadOption.class))).isSameAs(mapped);
        // a piece may have been on its way
        awaitWindow();
        assertThat(List.copyOf(asked))
            .anySatisfy(part -> assertThat(part).containsExactly(at, block.length - at));
        assertThat(reader.available()).as("as its reader").isEqualTo(block.length - at);
        int before = asked.size();
        assertThat(reader.skip(3L * MIB)).isEqualTo(3L * MIB);
        byte[] next = new byte[2 * MIB];
        reader.readFully(next, 0, next.length);
        assertThat(next).isEqualTo(Arrays.copyOfRange(block, at + 3 * MIB, at + 5 * MIB));
        assertThat(reader.getClientMmap(EnumSet.noneOf(ReadOption.class))).isSameAs(mapped);
        assertThat(asked).hasSize(before);
        assertThat(reader.skip(block.length)).isEqualTo(block.length - at - 5L * MIB);
        assertThat(reader.read(next, 0, 1)).isEqualTo(-1);
      }
      awaitWindow();
    }
  }

  @Test
  void aSocketHasNoMemory() throws Exception {
    try (BlockReader reader = open(0, block.length)) {
      assertThat(reader.getClientMmap(EnumSet.noneOf(ReadOption.class))).isNull();
    }
    assertThat(asked).hasSize(1);
  }

  @Test
  void itsFactsAreTheHeads() throws Exception {
    try (BlockReader reader = open(0, block.length)) {
      assertThat(reader.getNetworkDistance()).isEqualTo(BlockInMemory.DISTANCE);
      assertThat(reader.getDataChecksum()).isNotNull();
      assertThat(reader.isShortCircuit()).isFalse();
    }
  }
}
