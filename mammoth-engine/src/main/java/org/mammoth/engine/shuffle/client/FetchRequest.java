// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import org.mammoth.engine.shuffle.SegmentKey;

/**
 * A range of a segment. Immutable.
 *
 * @param key which segment
 * @param offset first byte, as stored, from 0
 * @param maxBytes how many at most; the range ends earlier where the segment does. 0 asks for the
 *     segment's description alone
 * @param identity the segment must have this identity; 0 takes any. Give what an earlier fetch of
 *     the same segment was told, so that two different outputs never mix
 * @param manualCredit whether the reader lets the server send, by {@link Fetch#credit}, instead of
 *     each chunk making room for the next as soon as the sink returned
 */
public record FetchRequest(
    SegmentKey key, long offset, long maxBytes, long identity, boolean manualCredit) {

  /** Checks the numbers. */
  public FetchRequest {
    if (offset < 0 || maxBytes < 0) {
      throw new IllegalArgumentException("no range: " + maxBytes + " bytes from " + offset);
    }
  }

  /** A range of whichever output the attempt has. */
  public static FetchRequest range(SegmentKey key, long offset, long maxBytes) {
    return new FetchRequest(key, offset, maxBytes, 0, false);
  }

  /** A whole segment. */
  public static FetchRequest whole(SegmentKey key) {
    return range(key, 0, Long.MAX_VALUE);
  }

  /** The rest of the range from {@code verified} on, of the same identity. */
  public FetchRequest resumed(long verified, long sameIdentity) {
    long left = maxBytes == Long.MAX_VALUE ? maxBytes : maxBytes - (verified - offset);
    return new FetchRequest(key, verified, left, sameIdentity, manualCredit);
  }
}
