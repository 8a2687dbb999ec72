// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.mammoth.engine.isolation.Detour;

/**
 * Ends the JVM on a thread that is there from the first: one of no task, so that no task's end is
 * taken for it, and one that needs no memory for it any more. Thread-safe.
 */
final class JvmEnd {

  private static final long SAID_WITHIN_MS = 5_000;

  private final CountDownLatch wanted = new CountDownLatch(1);
  private final CountDownLatch said = new CountDownLatch(1);
  private final CountDownLatch never = new CountDownLatch(1);
  private final IntConsumer halt;
  private final int status;

  private JvmEnd(IntConsumer halt, int status) {
    this.halt = halt;
    this.status = status;
  }

  /**
   * Starts the thread.
   *
   * @param halt ends the JVM; asked again if it fails
   * @param status what the JVM is to leave
   */
  static JvmEnd prepare(IntConsumer halt, int status) {
    JvmEnd end = new JvmEnd(halt, status);
    Thread thread = new Thread(end::await, "end of the JVM");
    thread.setDaemon(true);
    thread.start();
    return end;
  }

  /**
   * Has the JVM end, and does not return, whatever befalls the calling thread. Why is said before,
   * if that can be done within some seconds.
   */
  void come(String what, Throwable why) {
    want();
    try (Detour engines = Detour.asEngine()) {
      // Here, as the calling thread may have the stream's lock.
      System.err.println(what + " cannot be made safe to share: " + why);
      why.printStackTrace();
    } catch (RuntimeException | Error unsaid) {
      // It ends all the same.
      said.countDown();
    }
    while (true) {
      try {
        said.countDown();
        never.await();
      } catch (InterruptedException | RuntimeException | Error notYet) {
        continue;
      }
    }
  }

  private void want() {
    boolean told = false;
    while (!told) {
      try {
        wanted.countDown();
        told = true;
      } catch (RuntimeException | Error notYet) {
        continue;
      }
    }
  }

  private void await() {
    // Made now: who ends the JVM is asked for the task that it acts for.
    try (Detour engines = Detour.asEngine()) {
      while (wanted.getCount() > 0) {
        try {
          wanted.await();
          // Another thread may have the stream's lock, and wait for the very class.
          if (said.await(SAID_WITHIN_MS, TimeUnit.MILLISECONDS)) {
            break;
          }
        } catch (InterruptedException nobodyDoesThat) {
          continue;
        }
      }
      boolean ended = false;
      while (!ended) {
        try {
          halt.accept(status);
          ended = true;
        } catch (RuntimeException | Error notYet) {
          continue;
        }
      }
    }
  }
}
