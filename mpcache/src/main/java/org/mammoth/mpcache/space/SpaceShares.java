// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.space;

/**
 * How a slave's SSD space is divided (mpCache paper, Wang et al. 2016, §3.2, Fig. 5). The Dynamic
 * Pool is whole blocks; what is left over by rounding belongs to the Input Cache.
 *
 * @param inputBytes always Input Cache
 * @param poolBlocks blocks used as either, on demand
 * @param localizedBytes always Localized Cache
 * @param blockBytes size of a block of the pool
 */
public record SpaceShares(long inputBytes, int poolBlocks, long localizedBytes, long blockBytes) {

  public SpaceShares {
    if (inputBytes < 0 || poolBlocks < 0 || localizedBytes < 0 || blockBytes < 1) {
      throw new IllegalArgumentException(
          "shares of SSD space must not be negative: input "
              + inputBytes
              + ", pool "
              + poolBlocks
              + " blocks of "
              + blockBytes
              + ", localized "
              + localizedBytes
              + " (mammoth.mpcache.share.input, mammoth.mpcache.share.localized)");
    }
  }

  /**
   * Divides a slave's space; the pool is what the two fixed shares leave.
   *
   * @param totalBytes all healthy SSD directories together
   * @param inputShare fraction that is always Input Cache
   * @param localizedShare fraction that is always Localized Cache
   * @param blockBytes size of a block of the pool
   * @throws IllegalArgumentException if the fractions are not within 0..1 or exceed 1 together
   */
  public static SpaceShares of(
      long totalBytes, double inputShare, double localizedShare, long blockBytes) {
    if (!(inputShare >= 0 && localizedShare >= 0 && inputShare + localizedShare <= 1)) {
      throw new IllegalArgumentException(
          "mammoth.mpcache.share.input is "
              + inputShare
              + " and mammoth.mpcache.share.localized "
              + localizedShare
              + "; neither may be negative, together they may not exceed 1");
    }
    long localized = (long) (totalBytes * localizedShare);
    long pool = (totalBytes - localized - (long) (totalBytes * inputShare)) / blockBytes;
    int poolBlocks = (int) Math.min(Math.max(0, pool), Integer.MAX_VALUE);
    return new SpaceShares(
        totalBytes - localized - poolBlocks * blockBytes, poolBlocks, localized, blockBytes);
  }

  /** All three parts together, in bytes. */
  public long totalBytes() {
    return inputBytes + poolBlocks * blockBytes + localizedBytes;
  }
}
