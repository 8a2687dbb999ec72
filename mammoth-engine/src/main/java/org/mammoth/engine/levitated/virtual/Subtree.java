// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.util.Arrays;
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

  /** Whether each record's rank stands before it in the buffer. */
  final boolean ranked;

  /** The least rank of its records; 0 if ranks decide nothing. */
  final int firstRank;

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

  /**
   * Nothing is merged yet.
   *
   * @param ranks of inputs beside the merge, in ascending order; see {@link VirtualMerge}
   */
  Subtree(SegmentDirectory directory, Pages pages, int[] ranks) {
    this.directory = directory;
    int last = directory.map(directory.size() - 1);
    this.firstRank = ranks.length == 0 ? 0 : directory.map(0);
    this.ranked = ranks.length > 0 && after(ranks, firstRank) != after(ranks, last);
    this.tails = new PageChain(pages);
    this.buffer = new PageChain(pages);
  }

  /** How many of the ranks come before {@code rank}. */
  private static int after(int[] ranks, int rank) {
    int place = Arrays.binarySearch(ranks, rank);
    return place < 0 ? -place - 1 : place;
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
