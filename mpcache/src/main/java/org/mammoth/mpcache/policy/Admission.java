// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

/**
 * What the admission control (mpCache paper, Wang et al. 2016, §3.3.1) said to one round of reads
 * of a data set.
 */
public enum Admission {
  /** There is free space for all that is missing of the set. */
  FITS(true),
  /** Its worth, 1/(Size·Δ), exceeds that of all it would displace together. */
  PROFITABLE(true),
  /** The path is pinned. */
  PINNED(true),
  /** The policy has no admission control. */
  ALWAYS(true),
  /** Seen for the first time while the cache is full: only its identity is kept. */
  NOT_RECORDED(false),
  /** It is worth no more than what it would displace. */
  NOT_PROFITABLE(false),
  /** Not even an empty cache, pinned sets left alone, could hold it. */
  TOO_LARGE(false),
  /** It was admitted, but nothing on this node may make room for this block. */
  NO_ROOM(false),
  /** The path is not to be cached. */
  EXCLUDED(false);

  private final boolean admits;

  Admission(boolean admits) {
    this.admits = admits;
  }

  /** Whether blocks of the set may be stored. */
  public boolean admits() {
    return admits;
  }
}
