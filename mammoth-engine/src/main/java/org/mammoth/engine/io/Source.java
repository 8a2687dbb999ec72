// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A file read by position. All calls but {@link #path} come from a disk's thread, one at a time;
 * {@link #close} comes exactly once and last, perhaps before any read. An implementation opens the
 * file at the first read, so that opening waits for the disk's turn too.
 */
public interface Source {

  /** Where the file lies: decides which disk it waits for. */
  Path path();

  /**
   * Reads some bytes.
   *
   * @return how many, at least 1, or -1 at the end of the file
   */
  int read(long position, ByteBuffer into) throws IOException;

  /**
   * Called before all reads for a disk that spins: what is read shall come from there in one go,
   * not by way of the page cache in pieces. A source that cannot do so leaves it.
   */
  default void readThrough() {}

  /** Where reads must begin: at multiples of this many bytes; 1 if it does not matter. */
  default int boundary() {
    return 1;
  }

  /**
   * Reads into several buffers at once. Only where {@link #boundary} is above 1: all but the last
   * are multiples of it, and the position is one.
   *
   * @param least bytes that are wanted; more may be read as far as the buffers go
   * @throws IOException also if the file ends before
   */
  default void read(long position, ByteBuffer[] into, long least) throws IOException {
    throw new UnsupportedOperationException(path() + " is read one buffer at a time");
  }

  /** Releases what is open. */
  void close() throws IOException;
}
