// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import org.apache.log4j.helpers.AppenderAttachableImpl;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.logs.AppendersOfTask;

/**
 * Values of fields of shared objects that processes have for themselves: log4j's loggers are static
 * fields of shared classes, so that a task that sets a level or adds an appender must do so without
 * another seeing it. Thread-safe.
 */
final class OwnFields {

  /** Loggers are asked for their levels more often than for anything else, and few jobs set any. */
  private static volatile boolean used;

  private OwnFields() {}

  /** Whether any process of this engine has ever had such values. */
  static boolean areUsed() {
    return used;
  }

  static Object[] of(Object object) {
    TaskProcess process = TaskProcess.currentOrNull();
    return process == null ? null : process.ownFields().get(object);
  }

  static Object[] make(Object object, Object[] shared) {
    TaskProcess process = TaskProcess.currentOrNull();
    if (process == null) {
      return null;
    }
    used = true;
    return process.ownFields().computeIfAbsent(object, o -> copyOf(shared));
  }

  private static Object[] copyOf(Object[] shared) {
    Object[] own = shared.clone();
    for (int i = 0; i < own.length; i++) {
      if (own[i] instanceof AppenderAttachableImpl) {
        own[i] = AppendersOfTask.copyOf((AppenderAttachableImpl) own[i]);
      } else {
        own[i] = Containers.copy(own[i]);
      }
    }
    return own;
  }
}
