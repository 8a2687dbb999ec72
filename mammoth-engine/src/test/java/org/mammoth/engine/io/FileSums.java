// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/** Sums of files that tests make. */
public final class FileSums {

  private FileSums() {}

  /** Those a stream takes of {@code content} on its way to a disk. */
  public static BlockSums of(byte[] content) {
    BlockSums.Taker taker = new BlockSums.Taker();
    taker.update(ByteBuffer.wrap(content));
    return taker.end();
  }

  /** Asserts that each block is the CRC-32 of its bytes, and that no other byte fits. */
  static void assertFits(BlockSums sums, byte[] content) {
    assertThat(sums.length()).isEqualTo(content.length);
    for (int start = 0; start < content.length; start += BlockSums.BLOCK_BYTES) {
      int end = Math.min(content.length, start + BlockSums.BLOCK_BYTES);
      CRC32 crc = new CRC32();
      crc.update(content, start, end - start);
      assertThat(sums.sum(start)).isEqualTo((int) crc.getValue());
      assertThat(sums.fits(start, content, start)).isTrue();
      byte[] other = Arrays.copyOfRange(content, start, end);
      other[other.length / 2] ^= 1;
      assertThat(sums.fits(start, other, 0)).isFalse();
    }
  }
}
