// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.File;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.mammoth.engine.config.MemoryKeys;
import org.mammoth.engine.config.ShareWeights;
import org.mammoth.mapreduce.launch.JobFacts;
import org.mammoth.mapreduce.launch.LocalizedJobs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much of the node each user may have compared with the others: by what the administrator says
 * of the user, and of the queues of the user's running tasks. What users say of their own jobs
 * counts among these jobs only. Thread-safe.
 */
final class UserWeights {

  private static final Logger LOG = LoggerFactory.getLogger(UserWeights.class);

  /** A container's user and its queue's weight. */
  private record Running(String user, double queueWeight) {}

  private final ShareWeights users;
  private final ShareWeights queues;
  private final JobFacts<Double> jobs = new JobFacts<>(new LocalizedJobs());
  private final Map<String, Running> running = new ConcurrentHashMap<>();

  /**
   * Reads the keys.
   *
   * @throws IllegalArgumentException naming the key, if one is no list of weights
   */
  UserWeights(Configuration conf) {
    users = MemoryKeys.USER_WEIGHTS.get(conf);
    queues = MemoryKeys.QUEUE_WEIGHTS.get(conf);
  }

  /**
   * A container of {@code user} is about to start.
   *
   * @param jobFile its localized job.xml; empty if only its user may read it
   */
  void started(String container, String user, String jobFile) {
    double queue = ShareWeights.USUAL;
    try {
      // To read a job's file takes as long as all else that a container's start takes here.
      boolean isAsked = !jobFile.isEmpty() && !queues.areEqual();
      queue = isAsked ? jobs.of(new File(jobFile), this::weightOfQueue) : queue;
    } catch (RuntimeException e) {
      LOG.warn("The queue of {} is not known, it counts as one that is not named", container, e);
    }
    running.put(container, new Running(user, queue));
  }

  private double weightOfQueue(Configuration job) {
    return queues.of(job.get(MRJobConfig.QUEUE_NAME, YarnConfiguration.DEFAULT_QUEUE_NAME));
  }

  /** It has ended, or did not start. */
  void ended(String container) {
    running.remove(container);
  }

  /** The user's weight now, above 0. */
  double of(String user) {
    double queue =
        running.values().stream()
            .filter(container -> container.user.equals(user))
            .mapToDouble(Running::queueWeight)
            .max()
            .orElse(ShareWeights.USUAL);
    return users.of(user) * queue / ShareWeights.USUAL;
  }
}
