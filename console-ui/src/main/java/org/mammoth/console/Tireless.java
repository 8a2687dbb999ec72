// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that a timer does again and again. A timer forgets what has thrown once, and nobody would
 * notice: so nothing is thrown. What leaves the whole process in doubt, as memory that is used up,
 * ends it instead; a service is started again.
 */
final class Tireless implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Tireless.class);

  private final String what;
  private final Runnable work;
  private final Consumer<Error> end;

  /**
   * @param what it is, for the log
   * @param end ends the process
   */
  Tireless(String what, Runnable work, Consumer<Error> end) {
    this.what = what;
    this.work = work;
    this.end = end;
  }

  @Override
  public void run() {
    try {
      work.run();
    } catch (OutOfMemoryError | InternalError e) {
      end.accept(e);
    } catch (RuntimeException | Error e) {
      // The next may be better.
      LOG.error("{} failed", what, e);
    }
  }
}
