package org.mammoth.engine.levitated;

/** How a reduce gets hold of map output of other nodes. */
public enum MergeMode {
  /** Into memory while the ledger lends some; what finds none is levitated if that is possible. */
  AUTO,
  /** Pushed and fetched into memory; what finds none goes to the reduce's disk. */
  PUSH,
  /** As {@link #PUSH}, but nothing is pushed. */
  SPILL,
  /** Stays at its source until the merge needs it. */
  LEVITATED;

  /** Whether other nodes may push. */
  public boolean pushes() {
    return this == AUTO || this == PUSH;
  }

  /** Whether segments may stay at their sources. */
  public boolean levitates() {
    return this == AUTO || this == LEVITATED;
  }
}
