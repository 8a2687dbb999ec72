// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import org.mammoth.engine.levitated.table.SegmentDirectory;

/**
 * A directory's segments and what is merged of them: the records its buffer (STB) holds for the
 * reduce, and, while it rests, the bytes of each segment that were fetched and not merged. The STB
 * may be filled and read at the same time; the rest is for whoever has it at work.
 */
final class Subtree {

  final SegmentDirectory directory;

  /** What the segments have left while the subtree rests, in their order. */
  final PageChain tails;

  private final PageChain buffer;

  /** Prefix of the last key that was merged: no record to come has a smaller one. */
  volatile long horizon = Long.MIN_VALUE;

  /** Guarded by the merge, as are the two below. */
  boolean active;

  boolean queued;

  /** How often it was at work. */
  int turns;

  /** No record will be added to its buffer. */
  private boolean ended;

  Subtree(SegmentDirectory directory, Pages pages) {
    this.directory = directory;
    this.tails = new PageChain(pages);
    this.buffer = new PageChain(pages);
  }

  /**
   * Adds records, whole ones.
   *
   * @return promised pages that this took
   */
  synchronized int append(byte[] from, int length) {
    return buffer.append(from, 0, length);
  }

  /** Takes bytes of the buffer, as many as there are, 0 if it is empty. */
  synchronized int read(byte[] into, int offset, int length) {
    return buffer.read(into, offset, length);
  }

  /** Bytes in its buffer. */
  synchronized long buffered() {
    return buffer.size();
  }

  synchronized void end() {
    ended = true;
  }

  synchronized boolean hasEnded() {
    return ended;
  }

  /** Whether a reader finds bytes, or the end. */
  synchronized boolean isReadable() {
    return ended || buffer.size() > 0;
  }
}
