// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/** Steps run by an executor's threads, beside the reduce. */
public final class PooledStepRunner implements StepRunner {

  private final Executor executor;
  private final Object bell = new Object();

  /** Steps go to {@code executor}, whose threads must not be the reduce's. */
  public PooledStepRunner(Executor executor) {
    this.executor = executor;
  }

  @Override
  public void execute(Runnable step) {
    executor.execute(step);
  }

  @Override
  public void await(BooleanSupplier ready) throws InterruptedException {
    synchronized (bell) {
      while (!ready.getAsBoolean()) {
        bell.wait();
      }
    }
  }

  @Override
  public void wake() {
    synchronized (bell) {
      bell.notifyAll();
    }
  }
}
