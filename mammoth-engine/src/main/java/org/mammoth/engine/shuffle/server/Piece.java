// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import io.netty.buffer.ByteBuf;

/**
 * One turn of one stream: its segment is opened, or its next chunk is read, or both. Belongs to
 * whoever works on it.
 */
final class Piece {

  final OutStream stream;
  final Transfer transfer;

  /** What reading waits for. */
  final String disk;

  /** Bytes taken for its data. */
  final int reserved;

  /** Bytes of its data, once that is known. */
  int length;

  /** The chunk, once it is there. */
  ByteBuf frame;

  Throwable failure;

  Piece(OutStream stream, Transfer transfer, String disk, int reserved) {
    this.stream = stream;
    this.transfer = transfer;
    this.disk = disk;
    this.reserved = reserved;
  }

  /** Whether the segment was opened for it. */
  boolean opens;
}
