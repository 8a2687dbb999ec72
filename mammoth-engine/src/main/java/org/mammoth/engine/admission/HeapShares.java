// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.admission;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Says which task holds how much of a heap that they share. No JVM tells: an object belongs to
 * whoever reaches it. What it does tell is who allocated a sampled object that is still alive, and
 * how much each thread has ever allocated. The first, a fair sample of allocated bytes without the
 * garbage, divides what is alive; the second is a bound, since nobody holds what he never
 * allocated. Where there are no samples the second divides alone, which takes whoever makes most
 * garbage for the largest.
 */
public final class HeapShares {

  private HeapShares() {}

  /**
   * Divides what is alive among tasks.
   *
   * @param liveBytes of all tasks together, 0 or more
   * @param otherSamples of objects that no running task allocated
   */
  public static List<HeapEstimate> divide(
      Collection<HeapUse> uses, long liveBytes, long otherSamples) {
    long samples = otherSamples + uses.stream().mapToLong(HeapUse::samples).sum();
    double allocated = uses.stream().mapToDouble(HeapUse::allocatedBytes).sum();
    return uses.stream()
        .map(
            use -> {
              double part =
                  samples > 0
                      ? (double) use.samples() / samples
                      : allocated > 0 ? use.allocatedBytes() / allocated : 0;
              long bytes = Math.min(use.allocatedBytes(), Math.round(part * liveBytes));
              return new HeapEstimate(use.task(), use.promisedBytes(), bytes);
            })
        .toList();
  }

  /**
   * The task that is above its promise whoever allocated what is alive: so much is alive that was
   * not there when it began and that no other running task can have allocated. Needs no samples, so
   * no memory in a heap that has none.
   *
   * @param liveBytes all that is alive
   * @param ownBytes what is alive of the engine's own
   * @param spareBytes what may have come to the engine's own, or have been left by tasks that ended
   */
  public static Optional<HeapEstimate> certain(
      Collection<HeapUse> uses, long liveBytes, long ownBytes, long spareBytes) {
    double allocated = uses.stream().mapToDouble(HeapUse::allocatedBytes).sum();
    return worst(
        uses.stream()
            .map(
                use -> {
                  double others = allocated - use.allocatedBytes();
                  double rest =
                      liveBytes - Math.max(ownBytes, use.foundBytes()) - spareBytes - others;
                  long bytes = Math.min(use.allocatedBytes(), Math.max(0, Math.round(rest)));
                  return new HeapEstimate(use.task(), use.promisedBytes(), bytes);
                })
            .toList());
  }

  /** The task that is furthest above what it was promised; empty if none is above it. */
  public static Optional<HeapEstimate> worst(Collection<HeapEstimate> estimates) {
    return estimates.stream()
        .filter(estimate -> estimate.excess() > 0)
        .max(Comparator.comparingLong(HeapEstimate::excess));
  }

  /** The task that holds most. */
  public static Optional<HeapEstimate> largest(Collection<HeapEstimate> estimates) {
    return estimates.stream().max(Comparator.comparingLong(HeapEstimate::bytes));
  }
}
