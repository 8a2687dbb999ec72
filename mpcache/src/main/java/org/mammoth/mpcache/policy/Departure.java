// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

/**
 * Why copies of a data set last left the cache.
 *
 * @param cause what made them leave
 * @param by the data set that took their place, or null
 */
public record Departure(Cause cause, DataSetId by) {

  /** What makes copies leave. */
  public enum Cause {
    /** Another set was worth more (mpCache paper, Wang et al. 2016, §3.3). */
    DISPLACED,
    /** The Localized Cache took the space (§3.2). */
    SPACE_TAKEN,
    /** An administrator said so. */
    ORDERED,
    /** A node no longer had a copy: its file was deleted or changed, or its disk failed. */
    LOST
  }

  static Departure displacedBy(DataSet newcomer) {
    return new Departure(Cause.DISPLACED, newcomer.id());
  }

  static Departure because(Cause cause) {
    return new Departure(cause, null);
  }
}
