// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import java.nio.ByteBuffer;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.ShuffleException;

/**
 * Takes what a server pushes for one reduce. Calls come one after the other, on sockets' threads:
 * never block here. They may come before the subscribing call has returned, so that a receiver may
 * not have its {@link Subscription} yet.
 *
 * <p>What was pushed is tentative: bytes of an attempt may be merged or reduced only once a
 * completion event named that attempt, and are thrown away when another attempt of the map was
 * named. Segments are told apart by their key, which holds the attempt.
 */
public interface PushReceiver {

  /** To refuse an offer. */
  long REFUSE = -1;

  /**
   * A segment is to be had.
   *
   * @return the offset from which its bytes are wanted, mostly 0, or {@link #REFUSE} to leave it to
   *     be pulled. After a reconnect everything still in the server's memory is offered anew:
   *     refuse what is here, or go on where {@link #failed} stopped
   */
  long offer(SegmentInfo segment);

  /**
   * Verified bytes of an accepted segment; each call goes on where the last one ended. They used up
   * as much credit, which {@link Subscription#credit} returns once the receiver has room again.
   */
  void chunk(SegmentInfo segment, long offset, ByteBuffer data);

  /** All bytes of an accepted segment came. */
  void complete(SegmentInfo segment);

  /** No more bytes of an accepted segment will come; it may be offered again, or be pulled. */
  void failed(SegmentInfo segment, ShuffleException cause);

  /** The connection was lost, or not to be had; it will be tried again. */
  default void disconnected(ShuffleException cause) {}

  /** The subscription is over for good; all is to be pulled. */
  default void ended(ShuffleException cause) {}
}
