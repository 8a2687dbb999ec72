// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

/** A standing request for one partition's segments at one node. Any thread. */
public interface Subscription extends AutoCloseable {

  /** Lets the server send that many bytes more. */
  void credit(long bytes);

  /** Bytes the server may send before it needs more credit. */
  long available();

  /** Ends it; at most the call to the receiver that is under way still finishes. */
  @Override
  void close();
}
