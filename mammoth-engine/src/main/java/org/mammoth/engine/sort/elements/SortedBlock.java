// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

/**
 * Sorted records that lie in their order, so that merging reads them in sequence: pieces of slabs,
 * one after the other. A partition begins with a piece of its own.
 *
 * <p>One thread at a time.
 *
 * @param slabs of each piece
 * @param numbers of these, among the slabs of all blocks
 * @param froms where each piece begins
 * @param tos where each piece ends
 * @param ends of each partition, the number of the piece after its last
 */
public record SortedBlock(byte[][] slabs, int[] numbers, int[] froms, int[] tos, int[] ends) {

  /** Bytes of a partition's records. */
  public long length(int partition) {
    long length = 0;
    for (int piece = begin(partition); piece < ends[partition]; piece++) {
      length += tos[piece] - froms[piece];
    }
    return length;
  }

  /** The first piece of a partition. */
  int begin(int partition) {
    return partition == 0 ? 0 : ends[partition - 1];
  }
}
