// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.diff;

/** Where a job runs. */
public enum Side {
  /** The container executor under test. */
  ENGINE,
  /** Ordinary containers of the same cluster. */
  CONTAINERS,
  /**
   * Upstream's LocalJobRunner in this JVM: the same sort and shuffle without the start of a
   * process.
   */
  LOCAL,
  /** The same once more, to see what stock does not do twice the same way. */
  LOCAL_AGAIN;

  boolean isLocal() {
    return this == LOCAL || this == LOCAL_AGAIN;
  }
}
