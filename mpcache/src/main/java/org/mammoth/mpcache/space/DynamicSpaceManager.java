// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.space;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The master's Dynamic Space Manager (mpCache paper, Wang et al. 2016, §3.1): each slave's
 * allocation, and the history of jobs: type, size of the input, localized data. What it expects of
 * a job is a hint and nothing waits for it.
 *
 * <p>Not thread-safe; guarded by the master's state.
 */
public final class DynamicSpaceManager {

  /**
   * One job that has ended.
   *
   * @param jobType what jobs are compared by, such as the job's name without its date
   * @param inputBytes size of its input data set
   * @param localizedBytes localized data it made on all nodes, or -1 if nobody counted
   */
  public record JobRecord(String jobType, long inputBytes, long localizedBytes) {}

  private final int historyPerType;
  private final int types;
  private final Map<String, SpaceReport> slaves = new HashMap<>();
  private final Map<String, Deque<JobRecord>> history = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param historyPerType jobs of one type to remember, at least 1
   * @param types job types to remember, at least 1; the one not seen for longest is forgotten
   */
  public DynamicSpaceManager(int historyPerType, int types) {
    if (historyPerType < 1 || types < 1) {
      throw new IllegalArgumentException("a history needs room for at least one job and one type");
    }
    this.historyPerType = historyPerType;
    this.types = types;
  }

  /** A slave's latest allocation. */
  public void reported(String slave, SpaceReport report) {
    slaves.put(slave, report);
  }

  /** A slave is gone. */
  public void forget(String slave) {
    slaves.remove(slave);
  }

  /** A job has ended. */
  public void ended(JobRecord job) {
    Deque<JobRecord> jobs = history.computeIfAbsent(job.jobType(), type -> new ArrayDeque<>());
    jobs.addLast(job);
    if (jobs.size() > historyPerType) {
      jobs.removeFirst();
    }
    if (history.size() > types) {
      Iterator<String> eldest = history.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  /**
   * Localized bytes to expect of a job: the median ratio of localized data to input among the
   * remembered jobs of its type, times its input. Empty without a counted one.
   */
  public OptionalLong expectedLocalized(String jobType, long inputBytes) {
    Deque<JobRecord> jobs = history.get(jobType);
    if (jobs == null) {
      return OptionalLong.empty();
    }
    double[] ratios =
        jobs.stream()
            .filter(job -> job.localizedBytes() >= 0 && job.inputBytes() > 0)
            .mapToDouble(job -> (double) job.localizedBytes() / job.inputBytes())
            .sorted()
            .toArray();
    return ratios.length == 0
        ? OptionalLong.empty()
        : OptionalLong.of(Math.round(ratios[ratios.length / 2] * inputBytes));
  }

  /** Each slave's latest allocation. */
  public Map<String, SpaceReport> slaves() {
    return Collections.unmodifiableMap(slaves);
  }

  /** Remembered jobs of a type, the oldest first. */
  public List<JobRecord> history(String jobType) {
    Deque<JobRecord> jobs = history.get(jobType);
    return jobs == null ? List.of() : List.copyOf(jobs);
  }
}
