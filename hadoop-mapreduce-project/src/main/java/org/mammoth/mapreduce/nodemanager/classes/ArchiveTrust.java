// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.classes;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Whether engines start from the class archive, which is the one part of an engine that this host
 * made itself. It does not hold when engines end while they start with it, one after the other; a
 * full disk or too little memory ends one, too, but then another one starts, or none does without
 * the archive either. Thread-safe.
 */
public final class ArchiveTrust {

  private static final int SUSPICIOUS = 2;

  @GuardedBy("this")
  private int ends;

  @GuardedBy("this")
  private boolean holds = true;

  public synchronized boolean holds() {
    return holds;
  }

  /** An engine has started. */
  public synchronized void started() {
    ends = 0;
  }

  /**
   * One has ended while it started.
   *
   * @return whether that is why the archive does not hold from now on
   */
  public synchronized boolean ended() {
    if (!holds) {
      // Without the archive, too: it is not to blame.
      holds = true;
      ends = 0;
      return false;
    }
    ends++;
    holds = ends < SUSPICIOUS;
    return !holds;
  }
}
