// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;

/** Tasks that set up a job, which upstream lets nobody else make. */
public final class SetupTasks {

  private SetupTasks() {}

  /** One that has no input, and calls its job's committer. */
  public static Task of(TaskAttemptID attempt, String user) {
    MapTask task = new MapTask("", attempt, 0, new TaskSplitIndex(), 1);
    task.setUser(user);
    task.setJobSetupTask();
    return task;
  }
}
