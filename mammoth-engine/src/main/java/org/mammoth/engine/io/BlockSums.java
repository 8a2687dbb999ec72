// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * The CRC-32 of each block of a file as it was written, so that any range of it can be verified
 * before it is used. Takes 4 bytes of heap per block. Immutable.
 */
public final class BlockSums {

  /** Bytes of a block; the last one of a file may be shorter. */
  public static final int BLOCK_BYTES = 16 << 10;

  private final int[] sums;
  private final long length;

  private BlockSums(int[] sums, long length) {
    this.sums = sums;
    this.length = length;
  }

  /** The sums of a file of {@code length} bytes, as {@link #numbers} gave them. */
  public static BlockSums of(int[] numbers, long length) {
    return new BlockSums(numbers, length);
  }

  /** One sum for each block; nobody may change them. */
  public int[] numbers() {
    return sums;
  }

  /** Bytes of the file. */
  public long length() {
    return length;
  }

  /** First byte of the block in which byte {@code position} lies. */
  public static long startOf(long position) {
    return position - position % BLOCK_BYTES;
  }

  /** The byte after the block that begins at {@code start}. */
  public long endOf(long start) {
    return Math.min(length, start + BLOCK_BYTES);
  }

  /** Whether {@code bytes} are those of the block that begins at {@code start}. */
  public boolean fits(long start, byte[] bytes, int offset) {
    CRC32 crc = new CRC32();
    crc.update(bytes, offset, (int) (endOf(start) - start));
    return (int) crc.getValue() == sum(start);
  }

  /** As {@link #fits(long, byte[], int)}; the buffer's remaining bytes are the block's. */
  boolean fits(long start, ByteBuffer bytes) {
    if (bytes.remaining() != endOf(start) - start) {
      return false;
    }
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return (int) crc.getValue() == sum(start);
  }

  /** What is wrong with a block that does not fit. */
  public String damaged(String path, long start) {
    return "bytes "
        + start
        + " to "
        + endOf(start)
        + " of "
        + path
        + " do not fit the checksum taken when they were written: the disk has damaged them";
  }

  /** The CRC-32 of the block that begins at {@code start}. */
  int sum(long start) {
    return sums[(int) (start / BLOCK_BYTES)];
  }

  /** Takes the sums of a file on its way to the disk. One thread at a time. */
  static final class Taker {

    private static final int FIRST_BLOCKS = 16;

    private final CRC32 crc = new CRC32();
    private int[] sums = new int[FIRST_BLOCKS];
    private int blocks;
    private int inBlock;
    private long length;

    /** Takes the next bytes of the file; the buffer's position stays where it is. */
    void update(ByteBuffer bytes) {
      ByteBuffer rest = bytes.duplicate();
      int limit = rest.limit();
      while (rest.position() < limit) {
        int now = Math.min(limit - rest.position(), BLOCK_BYTES - inBlock);
        rest.limit(rest.position() + now);
        crc.update(rest);
        inBlock += now;
        length += now;
        if (inBlock == BLOCK_BYTES) {
          endBlock();
        }
      }
    }

    private void endBlock() {
      if (blocks == sums.length) {
        sums = Arrays.copyOf(sums, 2 * blocks);
      }
      sums[blocks++] = (int) crc.getValue();
      crc.reset();
      inBlock = 0;
    }

    /** Ends the file. */
    BlockSums end() {
      if (inBlock > 0) {
        endBlock();
      }
      return new BlockSums(Arrays.copyOf(sums, blocks), length);
    }
  }
}
