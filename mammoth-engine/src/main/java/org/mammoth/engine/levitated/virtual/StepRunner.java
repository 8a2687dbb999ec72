// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.util.function.BooleanSupplier;

/** Who runs the steps of a merge, and how the reduce's thread waits for them. */
public interface StepRunner {

  /** Has a step run some time, soon; steps do not block. Any thread. */
  void execute(Runnable step);

  /**
   * Waits until {@code ready}. The reduce's thread.
   *
   * @throws InterruptedException if the task was killed meanwhile
   */
  void await(BooleanSupplier ready) throws InterruptedException;

  /**
   * Runs the steps that would run in {@link #await} only, and waits for none; so that what they ask
   * for is on its way before it is wanted. The reduce's thread.
   */
  void runReady();

  /** Has who waits look again. Any thread. */
  void wake();
}
