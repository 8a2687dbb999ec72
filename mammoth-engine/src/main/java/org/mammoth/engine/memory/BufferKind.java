// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

/**
 * What a leased byte is used for. Three kinds of the cache pool stand in the order in which memory
 * is granted, Sort before Send before Receive; it is revoked the other way round (Mammoth paper,
 * Shi et al. 2015, §4.2.1). The data cache has what these leave, and gives it up at once.
 */
public enum BufferKind {
  /** Unsorted records of running maps; statically allocated, outside the cache pool. */
  ELEMENT,
  /** Sorted runs of a running map. */
  SORT,
  /** Final map output that reduces still have to get. */
  SEND,
  /** Map output held for a running reduce. */
  RECEIVE,
  /** Queues of the I/O scheduler and windows of readers. */
  IO,
  /** Files kept for the next job; see {@link SpareUnits}. */
  DATA_CACHE;

  /** Whether it lives in units of the cache pool. */
  boolean pooled() {
    return this == SORT || this == SEND || this == RECEIVE || this == DATA_CACHE;
  }
}
