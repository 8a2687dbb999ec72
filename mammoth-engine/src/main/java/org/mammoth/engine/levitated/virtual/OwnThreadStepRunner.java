// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;

/**
 * Steps run by the reduce's own thread, while it waits and whenever it reads: for comparators of
 * the job's, which expect to be called by the task's thread alone.
 */
public final class OwnThreadStepRunner implements StepRunner {

  private final ArrayDeque<Runnable> steps = new ArrayDeque<>();

  @Override
  public synchronized void execute(Runnable step) {
    steps.add(step);
    notifyAll();
  }

  @Override
  public void await(BooleanSupplier ready) throws InterruptedException {
    while (!ready.getAsBoolean()) {
      Runnable step = next(ready);
      if (step != null) {
        step.run();
      }
    }
  }

  @Override
  public void runReady() {
    for (Runnable step = poll(); step != null; step = poll()) {
      step.run();
    }
  }

  private synchronized Runnable poll() {
    return steps.poll();
  }

  private synchronized Runnable next(BooleanSupplier ready) throws InterruptedException {
    while (steps.isEmpty() && !ready.getAsBoolean()) {
      wait();
    }
    return steps.poll();
  }

  @Override
  public synchronized void wake() {
    notifyAll();
  }
}
