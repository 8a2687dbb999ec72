// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Programs whose end is known already and which still answer their clients: upstream's
 * ApplicationMaster does so for five seconds ({@code MRAppMaster.shutDownJob}). The JVM stays as
 * long. Any thread.
 */
public final class LateAnswers {

  /** One that does not come to its end keeps no JVM that is to end. */
  static final long MOST_MS = 10_000;

  private final LongSupplier nanos;

  /** When each has had its time. */
  @GuardedBy("this")
  private final Map<HostedContainer, Long> until = new HashMap<>();

  /**
   * @param nanos as {@link System#nanoTime}
   */
  LateAnswers(LongSupplier nanos) {
    this.nanos = nanos;
  }

  synchronized void begin(HostedContainer program) {
    until.put(program, nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(MOST_MS));
  }

  synchronized void end(HostedContainer program) {
    if (until.remove(program) != null) {
      notifyAll();
    }
  }

  /** Waits until there is none, or for {@code ms}; whether there is none. */
  synchronized boolean awaitNone(long ms) throws InterruptedException {
    if (areThere()) {
      wait(ms);
    }
    return !areThere();
  }

  private synchronized boolean areThere() {
    long now = nanos.getAsLong();
    until.values().removeIf(end -> end - now <= 0);
    return !until.isEmpty();
  }
}
