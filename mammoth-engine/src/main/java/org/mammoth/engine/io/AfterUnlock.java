// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.util.ArrayList;
import java.util.List;

/** What is found out under a lock and has to be told to others without it. One thread. */
final class AfterUnlock {

  private final List<Runnable> calls = new ArrayList<>();

  private Throwable first;

  void add(Runnable call) {
    calls.add(call);
  }

  /** Tells everyone, whatever some of them throw; returns the first thing thrown, or null. */
  Throwable run() {
    for (Runnable call : calls) {
      try {
        call.run();
      } catch (Throwable thrown) {
        if (first == null) {
          first = thrown;
        } else if (first != thrown) {
          first.addSuppressed(thrown);
        }
      }
    }
    calls.clear();
    return first;
  }

  /** The first thing thrown so far, or null. */
  Throwable thrown() {
    return first;
  }
}
