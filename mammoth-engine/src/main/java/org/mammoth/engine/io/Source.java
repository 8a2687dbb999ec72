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

  /** Releases what is open. */
  void close() throws IOException;
}
