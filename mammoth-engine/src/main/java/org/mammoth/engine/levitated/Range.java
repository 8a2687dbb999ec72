// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated;

import java.nio.ByteBuffer;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.client.Fetch;

/**
 * A range of a segment at another node. It ends where the segment does, so {@code into} may keep
 * room. Whoever extends it is told how it ended, on a socket's thread.
 */
public abstract class Range {

  private final SegmentKey key;
  private final long identity;
  private final long offset;
  private final ByteBuffer into;
  private Fetch fetch;
  private boolean cancelled;
  private boolean over;

  /**
   * A range that begins at {@code offset}.
   *
   * @param identity which the segment must have; 0 for any
   * @param into gets the bytes from its position on; not to be touched until the range has ended
   */
  protected Range(SegmentKey key, long identity, long offset, ByteBuffer into) {
    this.key = key;
    this.identity = identity;
    this.offset = offset;
    this.into = into;
  }

  /**
   * Over: {@code failure} is null, or why it ended early. What lies in the buffer is what the
   * source has sent.
   *
   * @param segment as the source described it; null if it ended before that
   */
  protected abstract void ended(SegmentInfo segment, Throwable failure);

  final SegmentKey key() {
    return key;
  }

  final long identity() {
    return identity;
  }

  final long offset() {
    return offset;
  }

  final ByteBuffer into() {
    return into;
  }

  /** Bytes asked for, or those that are missing. */
  final int missing() {
    return into.remaining();
  }

  /** It is on its way; false if nobody wants it any more. */
  synchronized boolean isWanted() {
    return !cancelled;
  }

  void started(Fetch under) {
    boolean stop;
    synchronized (this) {
      fetch = under;
      stop = cancelled;
    }
    if (stop) {
      under.cancel();
    }
  }

  void tell(SegmentInfo segment, Throwable failure) {
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
    }
    ended(segment, failure);
  }

  /** Ends it early; {@link #ended} is told soon, if it was not yet. Any thread. */
  public final void cancel() {
    Fetch under;
    synchronized (this) {
      cancelled = true;
      under = fetch;
    }
    if (under != null) {
      under.cancel();
    }
  }
}
