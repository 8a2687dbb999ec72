// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.space;

/**
 * A slave's allocation at one moment.
 *
 * @param shares how its space is divided
 * @param lentBlocks pool blocks that serve localized data
 * @param inputUsed bytes of cached input
 * @param localizedUsed bytes granted to localized data
 * @param localizedPeak the most that ever was
 * @param refused requests for localized space that were refused
 */
public record SpaceReport(
    SpaceShares shares,
    int lentBlocks,
    long inputUsed,
    long localizedUsed,
    long localizedPeak,
    long refused) {

  /** Bytes input may use. */
  public long inputCapacity() {
    return shares.inputBytes() + (shares.poolBlocks() - lentBlocks) * shares.blockBytes();
  }
}
