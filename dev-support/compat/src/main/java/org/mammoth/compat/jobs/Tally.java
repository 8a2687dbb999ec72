package org.mammoth.compat.jobs;

/** User counters of the random jobs. */
public enum Tally {
  RECORDS,
  EMPTY_RECORDS,
  GROUPS
}
