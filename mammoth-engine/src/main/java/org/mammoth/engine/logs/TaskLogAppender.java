// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.logs;

import org.apache.log4j.Appender;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Category;
import org.apache.log4j.spi.LoggingEvent;
import org.mammoth.engine.isolation.LogSink;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * The engine's root appender: an event goes to the log of the task whose thread logs, at that
 * task's threshold; an event of no task to the delegate.
 *
 * <p>Takes no lock of its own. log4j 1 itself holds the lock of the category an appender hangs on
 * while it appends, here the root's. The root logger's level must be as verbose as the most verbose
 * task wants.
 */
public final class TaskLogAppender extends AppenderSkeleton {
  private final Appender delegate;

  /**
   * An appender that leaves the engine's own events to the delegate, which keeps its own layout and
   * threshold.
   */
  public TaskLogAppender(Appender delegate) {
    this.delegate = delegate;
    setName("CLA"); // as in upstream's container-log4j.properties, for those who ask for it
  }

  /** Not synchronized, as the parent's is: tasks do not wait for each other's disks here. */
  @Override
  public void doAppend(LoggingEvent event) {
    append(event);
  }

  @Override
  protected void append(LoggingEvent event) {
    TaskProcess process = TaskProcess.currentOrNull();
    LogSink sink = process == null ? null : process.logs();
    if (!(sink instanceof TaskLogs)) {
      delegate.doAppend(event);
    } else if (accepts(process, sink, event)) {
      ((TaskLogs) sink).append(event);
    }
  }

  /** The container's threshold, but for loggers that the task has set levels for. */
  private static boolean accepts(TaskProcess process, LogSink sink, LoggingEvent event) {
    if (sink.accepts(event.getLevel().toInt())) {
      return true;
    }
    if (process.ownFields().isEmpty()) {
      return false;
    }
    Category category = event.getLogger();
    while (category != null && !process.ownFields().containsKey(category)) {
      category = category.getParent();
    }
    return category != null;
  }

  @Override
  public void close() {
    closed = true;
    delegate.close();
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
