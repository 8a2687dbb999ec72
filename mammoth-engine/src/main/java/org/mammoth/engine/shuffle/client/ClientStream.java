// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.wire.Frame;

/** One fetch or subscription on a connection. Called on the connection's event loop. */
interface ClientStream {

  String job();

  /** Whether it waits for what may come, and can be made anew at any time without loss. */
  default boolean isStanding() {
    return false;
  }

  /** The connection is there; the stream counts as one of its own until it is detached. */
  default void attached(ClientConnection connection) {}

  /** The connection is there and the job authenticated: send the request. */
  void start(ClientConnection connection, int id);

  void segment(Frame.Segment segment);

  /** The caller releases the data. */
  void chunk(Frame.Chunk chunk);

  void end(Frame.End end);

  void nack(Frame.Nack nack);

  /** Over without an answer. The connection has forgotten the stream already. */
  void lost(ShuffleException why);
}
