// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.timing;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work of a timer that goes on after it failed: {@link
 * java.util.concurrent.ScheduledExecutorService} drops a task that throws, without a word.
 */
public final class Lasting implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Lasting.class);

  private final String what;
  private final Runnable work;

  /**
   * @param what names the work in the log
   */
  public Lasting(String what, Runnable work) {
    this.what = what;
    this.work = work;
  }

  @Override
  public void run() {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.error("{} failed; it is tried again", what, e);
    }
  }
}
