// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import java.util.List;

/** A client's standing request on one connection, with its own credit. Event loop only. */
abstract class OutStream {

  final int id;
  final String job;
  final int chunkSize;

  /** Bytes of data the client can take now. */
  long credit;

  /** Whether it stands in the connection's round. */
  boolean queued;

  boolean closed;

  OutStream(int id, String job, int chunkSize, long credit) {
    this.id = id;
    this.job = job;
    this.chunkSize = chunkSize;
    this.credit = credit;
  }

  /** What to send now, or null. */
  abstract Transfer current();

  /** The transfer's segment is open and fits; its first byte may follow. */
  abstract void opened(Transfer transfer);

  /** The transfer is over, well or not. Returns whether the whole stream is. */
  abstract boolean over(Transfer transfer);

  /** All transfers that may hold something; called once, when the stream closes. */
  abstract List<Transfer> drain();
}
