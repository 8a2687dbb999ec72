package org.mammoth.engine.shuffle.server;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One open segment, in memory or on disk. Calls come one after the other, from the server's
 * executor, and may block. Closed exactly once, when no call is under way.
 */
public interface Segment extends Closeable {

  /** What reading at an offset may wait for, as {@link Readers} are told; never waits itself. */
  default String waitsFor(long offset) {
    return Readers.MEMORY;
  }

  /** Bytes after decompression. */
  long rawLength();

  /** Bytes as stored; what offsets count. */
  long partLength();

  /**
   * A number that differs whenever the stored bytes could differ, so that a reader that resumes
   * after a restart gets the same segment; 0 if the source cannot tell.
   */
  long identity();

  /** Bits of {@link org.mammoth.engine.shuffle.SegmentInfo}. */
  int flags();

  /**
   * Puts bytes from {@code offset} on into {@code into}, at least one.
   *
   * @throws SegmentUnavailableException if the bytes are no longer to be had in this way
   * @throws IOException if reading failed
   */
  void read(long offset, ByteBuffer into) throws IOException;
}
