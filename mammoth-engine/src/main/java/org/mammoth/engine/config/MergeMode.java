// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

/** How a reduce gets hold of map output of other nodes. */
public enum MergeMode {
  /** Into memory while the ledger lends some; what finds none is levitated if that is possible. */
  AUTO,
  /** Pushed and fetched into memory; what finds none goes to the reduce's disk. */
  PUSH,
  /** As {@link #PUSH}, but nothing is pushed. */
  SPILL,
  /** Stays at its source until the merge needs it. */
  LEVITATED,
  /**
   * As {@link #LEVITATED}, for very many segments: only some of them hold fetched bytes at a time.
   * For map output that is neither compressed nor encrypted, as those cannot be entered anywhere;
   * else it is {@link #LEVITATED}.
   */
  VIRTUAL,
  /**
   * As {@link #LEVITATED}, but each node merges what its maps wrote for a reduce, and sends one
   * sorted stream. For map output that is neither compressed nor encrypted and keys whose order
   * engines know by themselves; else it is {@link #LEVITATED}.
   */
  NODE;

  /** Whether other nodes may push. */
  public boolean pushes() {
    return this == AUTO || this == PUSH;
  }

  /** Whether segments may stay at their sources. */
  public boolean levitates() {
    return this == AUTO || levitatesAll();
  }

  /** Whether all segments of other nodes stay at their sources. */
  public boolean levitatesAll() {
    return this == LEVITATED || this == VIRTUAL || this == NODE;
  }
}
