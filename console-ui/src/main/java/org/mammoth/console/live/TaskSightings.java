// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.mammoth.api.collections.LatestMap;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.model.TaskSample;

/**
 * Which task attempts were seen in which engine, and when: the last so many. An attempt that ran
 * between two readings is not among them. Any thread.
 */
public final class TaskSightings {

  private final int limit;
  private final Map<String, Sighting> attempts;

  /**
   * One attempt.
   *
   * @param running as of the last moment
   * @param merge how a reduce gets hold of other nodes' output, as it said last; empty if it never
   *     did
   */
  public record Sighting(
      String attempt,
      String job,
      String type,
      String node,
      long firstMs,
      long lastMs,
      boolean running,
      String merge) {

    Sighting ended() {
      return new Sighting(attempt, job, type, node, firstMs, lastMs, false, merge);
    }
  }

  /** Remembers the last {@code limit} attempts. */
  public TaskSightings(int limit) {
    this.limit = limit;
    this.attempts = LatestMap.byAge(limit);
  }

  /** Notes what runs. */
  public synchronized void see(Moment moment) {
    attempts.replaceAll((attempt, s) -> s.running() ? s.ended() : s);
    long now = moment.view().timeMs();
    for (NodeState node : moment.view().nodes().values()) {
      if (node.sample() == null) {
        continue;
      }
      for (EngineSample engine : node.sample().engines()) {
        for (TaskSample task : engine.tasks()) {
          Sighting before = attempts.get(task.attempt());
          long first = task.sinceMs() > 0 ? task.sinceMs() : now;
          attempts.put(
              task.attempt(),
              new Sighting(
                  task.attempt(),
                  task.job(),
                  task.type(),
                  node.id(),
                  before == null ? first : before.firstMs(),
                  now,
                  true,
                  task.merge().isEmpty() && before != null ? before.merge() : task.merge()));
        }
      }
    }
  }

  /**
   * The attempt that a task is shown with.
   *
   * @param attempt the one that succeeded; empty if none has, and then it is the latest
   * @return null if it was not seen: one that succeeded elsewhere makes no other one successful
   */
  public synchronized Sighting latest(String task, String attempt) {
    if (!attempt.isEmpty()) {
      return attempts.get(attempt);
    }
    String prefix = task.replaceFirst("^task", "attempt") + "_";
    for (int n = 9; n >= 0; n--) {
      Sighting seen = attempts.get(prefix + n);
      if (seen != null) {
        return seen;
      }
    }
    return null;
  }

  /** All attempts of a job, as they were first seen. */
  public synchronized List<Sighting> of(String job) {
    List<Sighting> found = new ArrayList<>();
    for (Sighting sighting : attempts.values()) {
      if (sighting.job().equals(job)) {
        found.add(sighting);
      }
    }
    return found;
  }
}
