// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.jobs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.mammoth.api.collections.LatestMap;
import org.mammoth.console.live.Moment;
import org.mammoth.console.model.NodeSample.Fallback;
import org.mammoth.console.model.NodeState;

/**
 * Which jobs had tasks that went to ordinary containers, and why, as nodes told it second by
 * second. A node tells of its last 64 only, so that there may have been more. Any thread.
 */
public final class FallbackNotes {

  private static final Pattern EPOCH = Pattern.compile("_e\\d+_");
  private static final int MOST_JOBS = 5000;
  private static final int MOST_NODES = 50_000;
  private static final int MOST_REASONS = 20;

  /**
   * The container of the last fall-back seen of each node, also of one that its masters do not name
   * for a while.
   */
  private final Map<String, String> seen = LatestMap.byUse(MOST_NODES);

  private final Map<String, Map<String, Long>> jobs = LatestMap.byUse(MOST_JOBS);

  /** Notes what nodes tell that they did not tell before. */
  public synchronized void see(Moment moment) {
    for (NodeState node : moment.view().nodes().values()) {
      if (node.sample() != null && !node.sample().lastFallbacks().isEmpty()) {
        take(node.id(), node.sample().lastFallbacks());
      }
    }
  }

  private void take(String node, List<Fallback> last) {
    String before = seen.put(node, last.get(last.size() - 1).container());
    int first = 0;
    for (int i = 0; i < last.size(); i++) {
      if (last.get(i).container().equals(before)) {
        first = i + 1;
      }
    }
    for (Fallback fallback : last.subList(first, last.size())) {
      // An attempt's name, or a container's, which has the ResourceManager's epoch after a restart.
      String[] part = EPOCH.matcher(fallback.task()).replaceFirst("_").split("_");
      if (part.length >= 5) {
        note("job_" + part[1] + "_" + part[2], pattern(fallback.reason()));
      }
    }
  }

  private void note(String job, String reason) {
    Map<String, Long> reasons = jobs.computeIfAbsent(job, id -> new LinkedHashMap<>());
    if (reasons.containsKey(reason) || reasons.size() < MOST_REASONS) {
      reasons.merge(reason, 1L, Long::sum);
    }
  }

  /** A reason without the numbers in it, so that those that differ by no more are one. */
  static String pattern(String reason) {
    return reason.replaceAll("(?<![\\w.])\\d+(?![\\w.])", "N");
  }

  /** Tasks of a job that went to ordinary containers, by reason; empty if none was seen. */
  public synchronized Map<String, Long> of(String job) {
    Map<String, Long> reasons = jobs.get(job);
    return reasons == null ? Map.of() : Map.copyOf(reasons);
  }
}
