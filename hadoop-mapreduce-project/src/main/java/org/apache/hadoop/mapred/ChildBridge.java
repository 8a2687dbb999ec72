// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import java.io.IOException;
import javax.crypto.SecretKey;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.TaskType;

/**
 * The few package-private things that upstream's YarnChild uses and an in-engine task needs too:
 * {@code JvmContext}, {@code JVMId} and {@code Task.taskCleanup}. Nothing else is in here.
 */
public final class ChildBridge {

  /** What upstream sends for "no process id". */
  private static final String NO_PID = "-1000";

  private ChildBridge() {}

  /**
   * Asks the ApplicationMaster for the task of a container.
   *
   * @return the answer, null while the ApplicationMaster has not yet registered the container
   */
  public static JvmTask fetch(TaskUmbilicalProtocol umbilical, TaskAttemptID attempt, long jvmId)
      throws IOException {
    boolean map = attempt.getTaskType() == TaskType.MAP;
    JVMId id = new JVMId(attempt.getJobID(), map, jvmId);
    return umbilical.getTask(new JvmContext(id, NO_PID));
  }

  /** Gives a task the keys of its job. */
  public static void setSecrets(Task task, SecretKey jobToken, SecretKey shuffle) {
    task.setJobTokenSecret(jobToken);
    task.setShuffleSecret(shuffle);
  }

  /** Where a YARN task's map output goes. */
  public static void useYarnOutputFiles(JobConf job) {
    job.setClass(MRConfig.TASK_LOCAL_OUTPUT_CLASS, YarnOutputFiles.class, MapOutputFile.class);
  }

  /** Lets the task's committer abort what it has written. */
  public static void cleanUp(Task task, TaskUmbilicalProtocol umbilical) throws IOException {
    task.taskCleanup(umbilical);
  }
}
