// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.logs;

import org.apache.log4j.spi.LoggingEvent;

/** Where a task's log goes. Thread-safe; none of it throws, what fails is said once on stderr. */
public interface LogTarget {

  /** Takes an event, unless it is closed. */
  void append(LoggingEvent event);

  /** What was taken can be read from now on, where that is so at all before the end. */
  void flush();

  /** Takes nothing more; a second call does nothing. */
  void close();
}
