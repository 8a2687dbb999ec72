// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.logs;

import java.io.IOException;
import java.nio.file.Path;
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
  private final LogFile syslog;
  private final LogFile shuffle;

  private TaskLogs(Level threshold, LogFile syslog, LogFile shuffle) {
    this.threshold = threshold;
    this.syslog = syslog;
    this.shuffle = shuffle;
  }

  /** A map's log. */
  public static TaskLogs open(Path syslog, Level threshold) throws IOException {
    LogFile file = LogFile.open(syslog);
    return new TaskLogs(threshold, file, file);
  }

  /** A reduce's log, the shuffle's apart. */
  public static TaskLogs open(Path syslog, Path shuffle, Level threshold) throws IOException {
    LogFile first = LogFile.open(syslog);
    try {
      return new TaskLogs(threshold, first, LogFile.open(shuffle));
    } catch (IOException e) {
      first.close();
      throw e;
    }
  }

  @Override
  public boolean accepts(int level) {
    return level >= threshold.toInt();
  }

  /**
   * Writes one event to the file its logger belongs to. Events below the threshold are the caller's
   * to drop.
   */
  void append(LoggingEvent event) {
    fileOf(event.getLoggerName()).append(event);
  }

  private LogFile fileOf(String logger) {
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
