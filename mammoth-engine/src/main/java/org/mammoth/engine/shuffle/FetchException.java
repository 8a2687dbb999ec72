// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import java.net.SocketAddress;

/** A fetch that ended early: from whom, of which segment, and up to where its bytes are good. */
public final class FetchException extends ShuffleException {

  private static final long serialVersionUID = 1L;

  private final transient SocketAddress peer;
  private final transient SegmentKey key;
  private final long verifiedOffset;

  /**
   * @param cause what happened
   * @param peer the server
   * @param key the segment
   * @param verifiedOffset offset in the segment before which every byte was verified and given to
   *     the sink
   */
  public FetchException(
      ShuffleException cause, SocketAddress peer, SegmentKey key, long verifiedOffset) {
    super(
        cause.reason(),
        "Fetching "
            + key
            + " from "
            + peer
            + " stopped at offset "
            + verifiedOffset
            + ": "
            + cause.getMessage(),
        cause);
    this.peer = peer;
    this.key = key;
    this.verifiedOffset = verifiedOffset;
  }

  public SocketAddress peer() {
    return peer;
  }

  public SegmentKey key() {
    return key;
  }

  /** Where a new fetch of the same identity may go on. */
  public long verifiedOffset() {
    return verifiedOffset;
  }
}
