// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.Task;

/** The end of an engine that a task's thread has found to be needed. */
@Timeout(120)
class JvmEndTest {

  @TempDir private Path temp;

  /** Who says why it ends has no memory for that, nor the first time who ends it. */
  @Test
  void noTaskEndsInsteadAndNoMemoryIsNeeded() throws Exception {
    BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    AtomicInteger times = new AtomicInteger();
    JvmEnd end =
        JvmEnd.prepare(
            status -> {
              if (times.incrementAndGet() == 1) {
                throw new OutOfMemoryError("not yet");
              }
              ends.add(status + " of " + Owners.callerOrNull());
            },
            70);
    Error unsaid =
        new Error("why") {
          private static final long serialVersionUID = 1;

          @Override
          public void printStackTrace() {
            throw new OutOfMemoryError("nor to say why");
          }
        };
    try (Task task = new Task(temp, "task")) {
      Thread caller =
          new Thread(task.process.threads(), () -> end.come("A test's class", unsaid), "caller");
      caller.setDaemon(true);
      caller.start();
      assertThat(ends.poll(60, TimeUnit.SECONDS)).isEqualTo("70 of null");
      assertThat(task.events).isEmpty();
      assertThat(caller.isAlive()).isTrue();
    }
  }

  /** As where it prints a trace, and waits for the class that cannot be had. */
  @Test
  void whoHoldsTheStreamsLockDoesNotHoldUpTheEnd() throws Exception {
    BlockingQueue<Integer> ends = new LinkedBlockingQueue<>();
    JvmEnd end = JvmEnd.prepare(ends::add, 70);
    CountDownLatch over = new CountDownLatch(1);
    Error unsaid =
        new Error("why") {
          private static final long serialVersionUID = 1;

          @Override
          public void printStackTrace() {
            try {
              over.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    Thread caller = new Thread(() -> end.come("A test's class", unsaid), "caller");
    caller.setDaemon(true);
    caller.start();
    assertThat(ends.poll(60, TimeUnit.SECONDS)).isEqualTo(70);
    over.countDown();
  }
}
