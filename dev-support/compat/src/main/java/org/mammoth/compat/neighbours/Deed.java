// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import org.apache.hadoop.mapreduce.TaskInputOutputContext;

/**
 * What a hostile program does inside a task. Every user may write this: on stock Hadoop it changes
 * the task's own process and nothing else.
 *
 * <p>Has a constructor without parameters and the annotation {@link Hostile}.
 */
public interface Deed {
  /** What a program leaves where it can, so that it is found where it may not be. */
  String MARK = "hostile-mark";

  /**
   * Does it.
   *
   * @return what the task itself sees of it afterwards; must be the same in every process
   */
  String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception;
}
