// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.buffers;

import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobPriority;
import org.mammoth.engine.config.MemoryKeys;
import org.mammoth.engine.config.ShareWeights;
import org.mammoth.engine.config.SortKeys;

/** How much of the node's memory a job may have, compared with the other jobs on the node. */
public final class JobWeight {

  private JobWeight() {}

  /** The configured weight, by its queue's, doubled or halved for each step of its priority. */
  public static double of(JobConf job) {
    double queue = MemoryKeys.QUEUE_WEIGHTS.get(job).of(job.getQueueName());
    double weight = SortKeys.JOB_WEIGHT.get(job) * queue / ShareWeights.USUAL;
    JobPriority priority = job.getJobPriority();
    if (priority == null) {
      return weight;
    }
    return switch (priority) {
      case VERY_HIGH -> 4 * weight;
      case HIGH -> 2 * weight;
      case LOW -> weight / 2;
      case VERY_LOW -> weight / 4;
      default -> weight;
    };
  }
}
