// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

/**
 * What a server says of a segment before its bytes. Immutable.
 *
 * @param key which segment
 * @param rawLength bytes after decompression, at least 0
 * @param partLength bytes as stored and sent, at least 0
 * @param identity a number that changes whenever the stored bytes could differ; a reader that
 *     resumes asks for the same identity. 0 when the source cannot tell
 * @param flags bits of {@link #IN_MEMORY} and {@link #UNVERIFIED}
 */
public record SegmentInfo(
    SegmentKey key, long rawLength, long partLength, long identity, int flags) {

  /** Flag: the segment was in the server's memory when it was announced. */
  public static final int IN_MEMORY = 1;

  /**
   * Flag: the server compares the bytes with no checksum, and the one at the segment's end does not
   * fit or is encrypted. Only who takes the whole segment can tell whether it is damaged.
   */
  public static final int UNVERIFIED = 2;

  /** Whether it has to come whole before any of it may be used. */
  public boolean isUnverified() {
    return (flags & UNVERIFIED) != 0;
  }
}
