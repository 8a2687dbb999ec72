// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

/**
 * The arbitrator's answer to one {@link Access}.
 *
 * @param outcome what happens to the block
 * @param reason what the admission control said
 * @param evict blocks the reading node must drop, before it stores anything
 */
public record Decision(Outcome outcome, Admission reason, long[] evict) {

  /** What happens to the block that was read. */
  public enum Outcome {
    /** It is in the cache. */
    HIT,
    /** It is in the cache, marked to leave, and was read once more before it did. */
    HIT_MARKED,
    /** It is not, and the node shall store it. */
    STORE,
    /** It is not, and stays out. */
    PASS
  }
}
