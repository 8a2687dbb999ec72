// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * One open segment, in memory or on disk. Calls come one after the other, from the server's
 * executor, and may block. Closed exactly once, when no call is under way.
 */
public interface Segment extends Closeable {

  /** What reading at an offset may wait for, as {@link Readers} are told; never waits itself. */
  default String waitsFor(long offset) {
    return Readers.MEMORY;
  }

  /** How {@link #readLater} went about it. */
  enum Reading {
    /** Not at all: only {@link #read} can do it. */
    BLOCKING,
    /** It is done. */
    DONE,
    /** It was begun. */
    BEGUN
  }

  /** No byte from {@code end} on will be asked for. Called once, before any byte is. */
  default void readsTo(long end) {}

  /** Whether reading makes its thread wait; if not, {@link #readLater} is used. */
  default boolean blocks() {
    return true;
  }

  /**
   * Fills {@code into} with bytes from {@code offset} on, and makes nobody wait.
   *
   * @param into has room for one byte at least and lies within the segment; it is not touched by
   *     anybody else until it is filled
   * @param done if reading was begun, called once, by any thread: with null or why it failed
   * @throws IOException if it is clear already that it fails
   */
  default Reading readLater(long offset, ByteBuffer into, Consumer<IOException> done)
      throws IOException {
    return Reading.BLOCKING;
  }

  /**
   * Sees to it that a part of the segment can be relied on without the rest: unless every byte is
   * compared with a checksum when it is read, the whole segment is compared with the checksum at
   * its end. May wait for its disk. Called before {@link #flags} and {@link #readsTo}.
   *
   * @return false if that checksum does not fit, or cannot be read because it is encrypted
   * @throws IOException if reading failed
   */
  default boolean verify() throws IOException {
    return true;
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
