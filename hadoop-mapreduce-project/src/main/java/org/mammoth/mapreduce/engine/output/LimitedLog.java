// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.output;

import java.io.Flushable;
import java.io.IOException;
import org.apache.log4j.FileAppender;
import org.apache.log4j.spi.LoggingEvent;
import org.mammoth.engine.logs.LogTarget;

/** A log of a stated size, written by an appender of upstream's. Thread-safe, as that is. */
public final class LimitedLog implements LogTarget {

  private final FileAppender appender;

  LimitedLog(FileAppender appender) {
    this.appender = appender;
  }

  @Override
  public void append(LoggingEvent event) {
    // The appender may keep the event until the end, when another thread asks for these.
    event.getThreadName();
    event.getRenderedMessage();
    appender.doAppend(event);
  }

  @Override
  public void flush() {
    try {
      if (appender instanceof Flushable flushable) {
        flushable.flush();
      }
    } catch (IOException e) {
      System.err.println("Task log " + appender.getFile() + " is incomplete: " + e);
    }
  }

  @Override
  public void close() {
    appender.close();
  }
}
