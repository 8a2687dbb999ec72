// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.util.Locale;
import org.mammoth.engine.levitated.table.SegmentDirectory;

/**
 * The sizes of a merge of very many segments, derived from how many there are and the memory there
 * is. All in bytes but the first and the last.
 *
 * @param subtreeSegments segments of a subtree, about the square root of all (virtual shuffling
 *     paper, Yu et al. 2015, §6.2)
 * @param rangeBytes what is fetched of a segment at once, its entry buffer (SEB)
 * @param bufferBytes what a subtree's buffer (STB) holds
 * @param pageBytes grain in which subtrees share memory
 * @param pagesBytes memory of all pages
 * @param spareBytes part of it that only a subtree the reduce waits for may use
 * @param lateBytes a value larger than this is fetched when the reduce asks for it
 * @param windowBytes heap of each subtree's cursor
 * @param activeSubtrees subtrees that fetch and merge at the same time
 */
public record VirtualSizing(
    int subtreeSegments,
    int rangeBytes,
    int bufferBytes,
    int pageBytes,
    long pagesBytes,
    long spareBytes,
    int lateBytes,
    int windowBytes,
    int activeSubtrees) {

  private static final int LEAST_RANGE = 64;
  private static final int MOST_BUFFER = 4 << 20;

  /** What a segment must have of the memory, or its ranges are too small to be worth a request. */
  private static final int LEAST_OF_A_SEGMENT = 160;

  /**
   * What the keys ask for; 0 has a size derived.
   *
   * @param subtreeSegments 0, or segments of a subtree
   * @param rangeBytes 0, or what is fetched of a segment at once
   * @param bufferBytes 0, or what a subtree's buffer holds
   * @param activeSubtrees subtrees at work at the same time, at least 1
   */
  public record Requested(
      int subtreeSegments, int rangeBytes, int bufferBytes, int activeSubtrees) {

    /** All derived. */
    public static final Requested NONE = new Requested(0, 0, 0, 3);
  }

  /**
   * Sizes a merge.
   *
   * @param segments how many there will be, at least 1
   * @param memory bytes that table, pages, windows and segments at work may take together
   * @param unitBytes size of the pool's units
   * @return null if the memory is too small for so many segments
   */
  public static VirtualSizing of(int segments, long memory, int unitBytes, Requested requested) {
    int perUnit = unitBytes / SegmentDirectory.ENTRY_BYTES;
    int root = (int) Math.ceil(Math.sqrt(Math.max(1, segments)));
    int subtree =
        Math.max(
            1, Math.min(perUnit, requested.subtreeSegments > 0 ? requested.subtreeSegments : root));
    int subtrees = (segments + subtree - 1) / subtree;
    long tableUnits = (subtrees + perUnit / subtree - 1L) / (perUnit / subtree);
    int window = (int) clamp(memory / 32 / subtrees, 512, 64 << 10);
    int active = Math.max(1, Math.min(requested.activeSubtrees, subtrees));
    long left = memory - tableUnits * unitBytes - (long) subtrees * window;
    // first without what the subtrees at work need of the heap, which follows from the sizes
    VirtualSizing sizes = null;
    for (long heap = 0, round = 0; round < 3; round++) {
      long pages = (left - heap) / unitBytes * unitBytes;
      long each = pages / Math.max(1, segments);
      if (pages < 2L * unitBytes || each < LEAST_OF_A_SEGMENT) {
        return null;
      }
      sizes = of(segments, subtree, subtrees, pages, window, active, requested, unitBytes);
      heap = sizes.activeHeapBytes();
    }
    return sizes;
  }

  /**
   * Bytes beyond which memory is of no use to a merge of segments that are small together.
   *
   * @param segments how many, at least 1
   * @param bytes of all of them
   * @param unitBytes size of the pool's units
   */
  public static long enough(int segments, long bytes, int unitBytes) {
    // all of them and what is merged of them, a place for each, what it takes to work at all
    return 2 * bytes + 1024L * segments + 8L * unitBytes;
  }

  private static VirtualSizing of(
      int segments,
      int subtree,
      int subtrees,
      long pages,
      int window,
      int active,
      Requested requested,
      int unitBytes) {
    int page = Integer.highestOneBit((int) clamp(pages / subtrees / 32, 64, 64 << 10));
    page = Math.min(page, unitBytes);
    long spare = Math.max(pages / 16, 4L * page);
    // each subtree wastes parts of two pages
    double share = (pages - spare) * 1.0 / subtrees - 2.0 * page;
    double each = Math.max(LEAST_RANGE, share / subtree);
    // half a range rests with a segment on average, and half of what its subtree merges at once
    int range =
        requested.rangeBytes > 0
            ? requested.rangeBytes
            : (int) clamp((long) (each * 0.5), LEAST_RANGE, 256 << 10);
    int buffer =
        requested.bufferBytes > 0
            ? requested.bufferBytes
            : (int)
                clamp(
                    (long) (subtree * each * 1.25),
                    2L * page,
                    // what subtrees at work need of the heap grows with it
                    Math.max(2L * page, Math.min(MOST_BUFFER, pages / 8 / active)));
    range = (int) clamp(range, LEAST_RANGE, Math.max(LEAST_RANGE, 2L * buffer / subtree));
    int late = (int) clamp(spare / 4 / subtree, 256, 64 << 10);
    return new VirtualSizing(subtree, range, buffer, page, pages, spare, late, window, active);
  }

  private static long clamp(long value, long least, long most) {
    return Math.max(least, Math.min(most, value));
  }

  /** Bytes the array of a subtree at work has at first. */
  int roomBytes() {
    return (int) clamp(bufferBytes + 2L * rangeBytes * subtreeSegments, 1 << 10, 64 << 20);
  }

  /** Bytes of merged records that are handed over at once. */
  int stageBytes() {
    return (int) clamp(bufferBytes / 4, 256, 64 << 10);
  }

  /** Heap of the subtrees at work. */
  long activeHeapBytes() {
    return activeSubtrees * (Heads.heapBytes(subtreeSegments, roomBytes()) + stageBytes());
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "subtrees of %d segments, ranges of %d bytes, subtree buffers of %d KiB, pages of %d bytes,"
            + " %d MiB in all, values above %d bytes fetched late, %d subtrees active",
        subtreeSegments,
        rangeBytes,
        bufferBytes >> 10,
        pageBytes,
        pagesBytes >> 20,
        lateBytes,
        activeSubtrees);
  }
}
