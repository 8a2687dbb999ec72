// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Outputs of one node's map attempts that its engine merges for one reduce. The merge is read by
 * ranges, like a segment, under a name of its own. Immutable.
 *
 * @param job the job
 * @param name what the merge is called in requests for its ranges; of no map attempt's
 * @param partition the reduce it is for, from 0
 * @param order number of the order of keys, as {@link org.mammoth.engine.sort.keys.KeyOrders} has
 *     them
 * @param parts the outputs; among equal keys the first comes first
 */
public record MergeList(String job, String name, int partition, int order, List<Part> parts) {

  private static final long PRIME = 0x100000001b3L;

  /**
   * One output.
   *
   * @param attempt the map attempt that wrote it
   * @param identity what its source calls this very content
   */
  public record Part(String attempt, long identity) {}

  /** Copies the list. */
  public MergeList {
    parts = List.copyOf(parts);
  }

  /** The key under which ranges of the merge are asked for. */
  public SegmentKey key() {
    return new SegmentKey(job, name, partition);
  }

  /**
   * Tells merges with different bytes apart, as a segment's identity does: a hash (FNV-1a) of order
   * and parts; never 0.
   */
  public long identity() {
    long hash = mix(0xcbf29ce484222325L, order);
    for (Part part : parts) {
      for (byte each : part.attempt().getBytes(StandardCharsets.UTF_8)) {
        hash = mix(hash, each);
      }
      for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
        hash = mix(hash, (int) (part.identity() >>> shift));
      }
    }
    return hash == 0 ? 1 : hash;
  }

  private static long mix(long hash, int value) {
    return (hash ^ value & 0xff) * PRIME;
  }
}
