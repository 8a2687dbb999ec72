// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.logs;

import org.apache.log4j.Level;
import org.apache.log4j.spi.LoggingEvent;
import org.mammoth.engine.isolation.LogSink;

/**
 * The log files of one task: {@code syslog}, and for a reduce {@code syslog.shuffle}, which takes
 * what loggers of the shuffle and of the merger say, and they only: those that the stock
 * container-log4j.properties names, and this release's shuffle, which takes their place.
 *
 * <p>Both files exist from the start, even when nothing is logged: log aggregation lists what is
 * there. Thread-safe, one lock per file.
 */
public final class TaskLogs implements LogSink {
  private static final String[] SHUFFLE = {
    "org.apache.hadoop.mapreduce.task.reduce",
    "org.apache.hadoop.mapred.Merger",
    "org.mammoth.mapreduce.shuffle"
  };

  private final Level threshold;
  private final LogTarget syslog;
  private final LogTarget shuffle;
  private volatile boolean ended;

  private TaskLogs(Level threshold, LogTarget syslog, LogTarget shuffle) {
    this.threshold = threshold;
    this.syslog = syslog;
    this.shuffle = shuffle;
  }

  /** All of a task's log in one. */
  public static TaskLogs of(LogTarget syslog, Level threshold) {
    return new TaskLogs(threshold, syslog, syslog);
  }

  /** A reduce's log, the shuffle's apart. */
  public static TaskLogs of(LogTarget syslog, LogTarget shuffle, Level threshold) {
    return new TaskLogs(threshold, syslog, shuffle);
  }

  @Override
  public boolean accepts(int level) {
    return level >= threshold.toInt() && !ended;
  }

  /**
   * Writes one event to the file its logger belongs to. Events below the threshold are the caller's
   * to drop.
   */
  public void append(LoggingEvent event) {
    if (!ended) {
      fileOf(event.getLoggerName()).append(event);
    }
  }

  /** Takes no more: a process would be gone. */
  public void end() {
    ended = true;
  }

  private LogTarget fileOf(String logger) {
    if (shuffle != syslog) {
      for (String prefix : SHUFFLE) {
        if (logger.startsWith(prefix)
            && (logger.length() == prefix.length() || logger.charAt(prefix.length()) == '.')) {
          return shuffle;
        }
      }
    }
    return syslog;
  }

  @Override
  public void flush() {
    syslog.flush();
    shuffle.flush();
  }

  @Override
  public void close() {
    syslog.close();
    shuffle.close();
  }
}
