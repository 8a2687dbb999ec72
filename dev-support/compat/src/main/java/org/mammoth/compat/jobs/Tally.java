// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

/** User counters of the random jobs. */
public enum Tally {
  RECORDS,
  EMPTY_RECORDS,
  GROUPS
}
