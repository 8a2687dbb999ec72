// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.mapred.Task.TaskReporter;

/**
 * Says for each record that the task is alive, as upstream's collector does, but writes the flag
 * only when it is down: TaskReporter's own method stores a volatile each time, which waits for all
 * stores before it. Where the flag is not found, that method is called. Any thread.
 */
final class ProgressFlag {

  private static final String FIELD = "progressFlag";

  private final TaskReporter reporter;
  private final AtomicBoolean flag;

  /** The flag of a task's reporter. */
  ProgressFlag(TaskReporter reporter) {
    this.reporter = reporter;
    this.flag = find(reporter);
  }

  private static AtomicBoolean find(TaskReporter reporter) {
    try {
      Field field = TaskReporter.class.getDeclaredField(FIELD);
      field.setAccessible(true);
      return (AtomicBoolean) field.get(reporter);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null; // another Hadoop; its method does the same, slower
    }
  }

  /** The task made progress. */
  void raise() {
    if (flag == null || !flag.getPlain()) {
      reporter.progress();
    }
  }
}
