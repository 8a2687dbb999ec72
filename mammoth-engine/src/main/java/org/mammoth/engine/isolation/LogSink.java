// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.io.Flushable;

/**
 * Where log events of a task's threads go, free of any logging library's types.
 *
 * <p>Thread-safe. Implementations lock per task at most, never across tasks.
 */
public interface LogSink extends Flushable, AutoCloseable {
  /**
   * Whether an event would be written; asked before the event is formatted.
   *
   * @param level severity on log4j 1's scale (DEBUG 10000, INFO 20000, WARN 30000, ERROR 40000)
   */
  boolean accepts(int level);

  /** Ends the log. Later events are dropped; a second call does nothing. Never throws. */
  @Override
  void close();
}
