// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.mapreduce.counters.CounterGroupFactory;
import org.apache.hadoop.mapreduce.counters.LimitExceededException;
import org.apache.hadoop.mapreduce.counters.Limits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is sent of a task's status: the status, and beside the job's counters those of Mammoth,
 * where the job's limits leave room. The task's live counters never have them, so that a job counts
 * as many of its own as on stock.
 *
 * <p>In Hadoop's package as it is part of how {@link TaskUmbilical} speaks. Stateless.
 */
final class ReportedStatus {

  private static final Logger LOG = LoggerFactory.getLogger(ReportedStatus.class);

  /**
   * The ApplicationMaster, the history server and clients add up what differs between a job's
   * tasks, under the same limits: the rest is for that.
   */
  private static final int PART_OF_LIMIT = 2;

  private ReportedStatus() {}

  /**
   * The status with these counters too, or the status as it is if there are none, or if they and
   * the task's own would be more than half of what {@code mapreduce.job.counters.max} or {@code
   * mapreduce.job.counters.groups.max} allow.
   */
  static TaskStatus with(TaskStatus status, Map<Enum<?>, Long> ours) {
    if (status == null || status.getCounters() == null || ours.isEmpty()) {
      return status;
    }
    if (!haveRoom(status.getCounters(), ours.keySet())) {
      LOG.debug("{} has too many counters for Mammoth's beside them", status.getTaskID());
      return status;
    }
    try {
      Counters counters = new Counters();
      counters.incrAllCounters(status.getCounters());
      ours.forEach((counter, value) -> counters.findCounter(counter).setValue(value));
      TaskStatus reported = (TaskStatus) status.clone();
      reported.setCounters(counters);
      return reported;
    } catch (LimitExceededException e) {
      LOG.debug("Mammoth's counters are left out", e); // others were added meanwhile
      return status;
    }
  }

  private static boolean haveRoom(Counters own, Set<Enum<?>> ours) {
    int counters = ours.size();
    Set<String> groups = new HashSet<>();
    ours.forEach(counter -> groups.add(counter.getDeclaringClass().getName()));
    for (Counters.Group group : own) {
      if (!CounterGroupFactory.isFrameworkGroup(group.getName())) {
        counters += group.size();
        groups.add(group.getName());
      }
    }
    return counters <= Limits.getCountersMax() / PART_OF_LIMIT
        && groups.size() <= Limits.getGroupsMax() / PART_OF_LIMIT;
  }
}
