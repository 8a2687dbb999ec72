// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * A container between the NodeManager's request to launch it in an engine and its end. Remembers a
 * signal that comes while it is on its way, when no engine could take it. Thread-safe.
 */
final class Submission {

  private final String task;

  @GuardedBy("this")
  private int signal;

  @GuardedBy("this")
  private boolean handedOver;

  /**
   * @param task names the task across its attempts
   */
  Submission(String task) {
    this.task = task;
  }

  String task() {
    return task;
  }

  /** A signal that ends it; false if it is with an engine, which has to be told. */
  synchronized boolean killed(int number) {
    if (handedOver) {
      return false;
    }
    signal = number;
    return true;
  }

  /** The signal that has come on its way; 0 if none has. */
  synchronized int signal() {
    return signal;
  }

  /** An engine has it; returns the signal to pass on, 0 if none has come. */
  synchronized int handOver() {
    handedOver = true;
    return signal;
  }
}
