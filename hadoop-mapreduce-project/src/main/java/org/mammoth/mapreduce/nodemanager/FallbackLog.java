// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.api.collections.LatestMap;
import org.mammoth.api.status.NodeSnapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks that went to ordinary containers and why: one log line each, and totals by reason for the
 * status command and the console. Thread-safe; keeps the latest {@value #CAPACITY} reasons.
 */
final class FallbackLog {

  private static final Logger LOG = LoggerFactory.getLogger(FallbackLog.class);
  private static final int CAPACITY = 50;
  private static final int LAST = 64;

  private final Map<String, Long> byReason = LatestMap.byUse(CAPACITY);

  @GuardedBy("this")
  private final ArrayDeque<NodeSnapshot.Fallback> last = new ArrayDeque<>();

  private final Clock clock;

  @GuardedBy("this")
  private long total;

  FallbackLog(Clock clock) {
    this.clock = clock;
  }

  /**
   * @param reason completes the sentence "it runs in an ordinary container because"
   */
  void record(String containerId, String task, String reason) {
    LOG.info("Task {} runs in ordinary container {} because {}", task, containerId, reason);
    synchronized (this) {
      byReason.merge(reason, 1L, Long::sum);
      total++;
      last.addLast(new NodeSnapshot.Fallback(clock.millis(), containerId, task, reason));
      if (last.size() > LAST) {
        last.removeFirst();
      }
    }
  }

  /** For the console: totals, and the latest {@value #LAST} tasks. */
  synchronized NodeSnapshot.Fallbacks snapshot() {
    return new NodeSnapshot.Fallbacks(total, byReason, List.copyOf(last));
  }

  synchronized long total() {
    return total;
  }

  synchronized Map<String, Long> byReason() {
    return new LinkedHashMap<>(byReason);
  }
}
