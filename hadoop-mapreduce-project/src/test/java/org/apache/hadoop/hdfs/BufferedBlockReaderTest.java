// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.fs.ChecksumException;
import org.junit.jupiter.api.Test;

/**
 * Short and long reads in any order give the block; against real streams: {@code RandomReadsIT}.
 */
class BufferedBlockReaderTest {

  private static final int FROM = 700;
  private static final int START = 1 << 20;

  private static byte[] block(int length) {
    byte[] block = new byte[length];
    new Random(length).nextBytes(block);
    return block;
  }

  private static BufferedBlockReader reader(byte[] block, long badFrom, boolean shortCircuit) {
    return reader(block, badFrom, shortCircuit, block.length);
  }

  /** Of a stream that ends so far into the block. */
  private static BufferedBlockReader reader(
      byte[] block, long badFrom, boolean shortCircuit, int end) {
    BlockReader below =
        new BlockInMemory(block, FROM, block.length - FROM, badFrom) {
          @Override
          public boolean isShortCircuit() {
            return shortCircuit;
          }
        };
    return new BufferedBlockReader(below, START + FROM, () -> START + end);
  }

  @Test
  void everyByteComesOnce() throws IOException {
    long seed = System.nanoTime();
    for (int i = 0; i < 200; i++) {
      Random random = new Random(seed + i);
      try {
        everyByteComesOnce(random, 1_000 + random.nextInt(400_000), random.nextBoolean());
      } catch (AssertionError e) {
        throw new AssertionError("seed " + (seed + i), e);
      }
    }
  }

  private static void everyByteComesOnce(Random random, int length, boolean shortCircuit)
      throws IOException {
    byte[] block = block(length);
    int end = FROM + random.nextInt(2 * length);
    BufferedBlockReader reader = reader(block, Long.MAX_VALUE, shortCircuit, end);
    int at = FROM;
    while (at < length) {
      at += step(reader, random, block, at);
      assertThat(reader.position()).isEqualTo(START + at);
      assertThat(reader.buffered()).as("at hand").isLessThanOrEqualTo(Math.max(0, end - at));
    }
    assertThat(reader.read(new byte[10], 0, 10)).isEqualTo(-1);
  }

  private static int step(BufferedBlockReader reader, Random random, byte[] block, int at)
      throws IOException {
    int wanted = 1 + random.nextInt(random.nextInt(10) == 0 ? 100_000 : 3_000);
    byte[] into = new byte[wanted + 7];
    int count;
    switch (random.nextInt(8)) {
      case 0:
        return (int) reader.skip(wanted);
      case 1:
        count = reader.read(ByteBuffer.wrap(into, 7, wanted));
        break;
      case 2:
        count = Math.min(wanted, reader.buffered());
        reader.take(into, 7, count);
        break;
      case 3:
        if (reader.buffered() == 0) {
          return 0;
        }
        count = 1;
        into[7] = (byte) reader.take();
        break;
      default:
        count = reader.read(into, 7, wanted);
        assertThat(count).isPositive();
    }
    assertThat(Arrays.copyOfRange(into, 7, 7 + count))
        .isEqualTo(Arrays.copyOfRange(block, at, at + count));
    return count;
  }

  /**
   * Upstream's stream opens another reader where the failed read began, or reads once more here.
   */
  @Test
  void aReadThatFailsTakesNothing() throws IOException {
    byte[] block = block(300_000);
    BufferedBlockReader reader = reader(block, FROM + 65_536, true);
    byte[] into = new byte[50_000];
    assertThat(reader.read(into, 0, 1_000)).isEqualTo(1_000);
    assertThat(reader.skip(64_000)).isEqualTo(64_000);
    int left = reader.buffered();
    assertThat(left).isEqualTo(536);
    for (int wanted : new int[] {left + 1, 1_500, 50_000}) {
      assertThatThrownBy(() -> reader.read(into, 0, wanted)).isInstanceOf(ChecksumException.class);
      assertThatThrownBy(() -> reader.read(ByteBuffer.allocate(wanted)))
          .isInstanceOf(ChecksumException.class);
      assertThat(reader.position()).isEqualTo(START + FROM + 65_000);
      assertThat(reader.buffered()).isEqualTo(left);
    }
    assertThat(reader.read(into, 0, left)).isEqualTo(left);
    assertThat(Arrays.copyOf(into, left))
        .isEqualTo(Arrays.copyOfRange(block, FROM + 65_000, FROM + 65_000 + left));
  }

  /** The reader below may take an amount below zero for a way back. */
  @Test
  void toSkipLessThanNothingSkipsNothing() throws IOException {
    byte[] block = block(10_000);
    for (int read : new int[] {0, 10}) {
      BufferedBlockReader reader = reader(block, Long.MAX_VALUE, false);
      assertThat(reader.read(new byte[read], 0, read)).isEqualTo(read);
      assertThat(reader.skip(-700)).isZero();
      assertThat(reader.position()).isEqualTo(START + FROM + read);
      byte[] next = new byte[5_000];
      assertThat(reader.read(next, 0, next.length)).isEqualTo(next.length);
      assertThat(next).isEqualTo(Arrays.copyOfRange(block, FROM + read, FROM + read + 5_000));
    }
  }

  @Test
  void aClosedOneHandsOutNothing() throws IOException {
    BufferedBlockReader reader = reader(block(10_000), Long.MAX_VALUE, false);
    reader.read(new byte[10], 0, 10);
    assertThat(reader.buffered()).isPositive();
    reader.close();
    assertThat(reader.buffered()).isZero();
  }
}
