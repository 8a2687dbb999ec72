// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

/** So many at once, and one more after each pause. One thread at a time. */
final class Allowance {

  private final int most;
  private final long pauseMs;
  private long left;
  private long grownMs;

  /**
   * @param most at once
   * @param pauseMs after which there is one more
   */
  Allowance(int most, long pauseMs) {
    this.most = most;
    this.pauseMs = pauseMs;
    this.left = most;
  }

  /** Whether one is left; it is taken then. */
  boolean take(long nowMs) {
    if (left == most) {
      grownMs = nowMs;
    }
    long more = Math.max(0, nowMs - grownMs) / pauseMs;
    grownMs += more * pauseMs;
    left = Math.min(most, left + more);
    if (left == 0) {
      return false;
    }
    left--;
    return true;
  }
}
