// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.children;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tasks of an engine that may have processes. A process that shows no sign of whose it is
 * belongs to one of them, or to one that has ended. Thread-safe.
 */
public final class ParentTasks {

  private final Set<TaskChildren> running = ConcurrentHashMap.newKeySet();

  void began(TaskChildren task) {
    running.add(task);
  }

  void ended(TaskChildren task) {
    running.remove(task);
  }

  /** Whether no other task that runs has ever started a process. */
  boolean isOnly(TaskChildren task) {
    return running.stream().noneMatch(each -> each != task && each.hasAny());
  }
}
