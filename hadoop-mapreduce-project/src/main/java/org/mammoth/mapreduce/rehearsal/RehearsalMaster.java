// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.rehearsal;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapred.AMFeedback;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapreduce.TaskType;

/** Answers the tasks of one rehearsal as an ApplicationMaster would. Any thread. */
final class RehearsalMaster {

  private static final String THIS_NODE = "http://localhost:0";

  private final List<TaskCompletionEvent> maps = new ArrayList<>();

  /** What tasks call; one of its arguments is of a type that only Hadoop's package may name. */
  TaskUmbilicalProtocol protocol() {
    return (TaskUmbilicalProtocol)
        Proxy.newProxyInstance(
            RehearsalMaster.class.getClassLoader(),
            new Class<?>[] {TaskUmbilicalProtocol.class},
            (proxy, method, arguments) -> answer(method.getName(), arguments));
  }

  private Object answer(String method, Object[] arguments) {
    switch (method) {
      case "statusUpdate":
        AMFeedback known = new AMFeedback();
        known.setTaskFound(true);
        return known;
      case "canCommit":
        return true;
      case "done":
        ended((TaskAttemptID) arguments[0]);
        return null;
      case "getMapCompletionEvents":
        return events((Integer) arguments[1]);
      case "commitPending":
      case "reportDiagnosticInfo":
        return null;
      default:
        throw new UnsupportedOperationException(method);
    }
  }

  private synchronized void ended(TaskAttemptID attempt) {
    if (attempt.getTaskType() == TaskType.MAP) {
      maps.add(
          new TaskCompletionEvent(
              maps.size(),
              attempt,
              attempt.getTaskID().getId(),
              true,
              TaskCompletionEvent.Status.SUCCEEDED,
              THIS_NODE));
    }
  }

  private synchronized MapTaskCompletionEventsUpdate events(int from) {
    List<TaskCompletionEvent> next = maps.subList(Math.min(from, maps.size()), maps.size());
    return new MapTaskCompletionEventsUpdate(next.toArray(new TaskCompletionEvent[0]), false);
  }
}
