// SPDX-License-Identifier: Apache-2.0
package org.mammoth.jobs;

import java.io.IOException;
import java.lang.ref.ReferenceQueue;
import java.nio.channels.Selector;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A daemon as libraries have them: waits anew, whatever interrupts it. Loaded by a loader that is
 * not the engine's, as a job's classes are.
 */
public final class Watchdog implements Runnable {

  private final CountDownLatch waits;
  private final String how;

  /**
   * @param waits counted down when it begins to wait
   * @param how on what it waits
   */
  public Watchdog(CountDownLatch waits, String how) {
    this.waits = waits;
    this.how = how;
  }

  @Override
  public void run() {
    ReferenceQueue<Object> references = new ReferenceQueue<>();
    LinkedBlockingQueue<Object> queue = new LinkedBlockingQueue<>();
    try (Selector selector = Selector.open()) {
      while (true) {
        try {
          waits.countDown();
          once(references, queue, selector);
        } catch (InterruptedException e) {
          // as they all do
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void once(
      ReferenceQueue<Object> references, LinkedBlockingQueue<Object> queue, Selector selector)
      throws InterruptedException, IOException {
    switch (how) {
      case "monitor" -> {
        synchronized (this) {
          wait();
        }
      }
      case "references" -> references.remove();
      case "queue" -> queue.take();
      case "sleep" -> Thread.sleep(60_000);
      default -> {
        selector.select();
        Thread.interrupted();
      }
    }
  }
}
