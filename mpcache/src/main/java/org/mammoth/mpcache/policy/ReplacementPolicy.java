// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

import java.util.List;

/**
 * Decides what may enter the cache and what must leave. The {@link ReplaceArbitrator} keeps the
 * books and tells the policy what happened; the policy keeps only its own order.
 *
 * <p>Not thread-safe; guarded by the arbitrator's caller.
 */
public interface ReplacementPolicy {

  /** Its name in {@code mammoth.mpcache.policy}. */
  String name();

  /**
   * Whether blocks of a set may be stored in the round of reads that begins; the access is already
   * counted.
   *
   * @param missing bytes of the set of which no copy is cached
   * @param available free bytes of all nodes together, negative when space was taken away
   */
  Admission admit(DataSet set, long missing, long available);

  /** A cached copy was read. */
  void hit(CachedBlock copy);

  /** A copy came into the cache. */
  void stored(CachedBlock copy);

  /** A copy left the cache: evicted or lost. Its set's books are already without it. */
  void removed(CachedBlock copy);

  /**
   * Chooses copies that leave so that a node gains space. The caller evicts all that are returned,
   * on whichever node they are.
   *
   * @param newcomer the set that wants a block stored, or null when the space itself shrinks and
   *     nothing is asked about profit
   * @param node where space is wanted
   * @param bytes how much, positive
   * @return empty if a newcomer is refused; for a shrinking space as much as there is
   */
  List<CachedBlock> victims(DataSet newcomer, int node, long bytes);
}
