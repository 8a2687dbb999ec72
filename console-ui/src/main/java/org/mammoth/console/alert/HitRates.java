// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.mammoth.console.model.CacheSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.read.ClusterView;

/**
 * The share of block reads that all SSD caches together served, over the last 15 minutes and over
 * the day before these. It is counted from the nodes' growing counters, minute by minute, and known
 * once there were reads enough; a restart of the console begins anew. One thread.
 */
final class HitRates {

  private static final long MINUTE = 60_000;
  private static final long RECENT = Duration.ofMinutes(15).toMillis();
  private static final long KEPT = Duration.ofDays(1).toMillis() + RECENT;
  private static final long FEWEST_READS = 1_000;

  private final Map<String, CacheSample> before = new HashMap<>();
  private final Deque<Minute> minutes = new ArrayDeque<>();

  private static final class Minute {
    private final long startMs;
    private long hits;
    private long reads;

    Minute(long startMs) {
      this.startMs = startMs;
    }
  }

  /**
   * Two shares, 0..1.
   *
   * @param recent of the last 15 minutes
   * @param usual of the day before, or of as much of it as was seen
   */
  record Shares(double recent, double usual) {}

  /** Counts what a view adds. */
  void see(ClusterView view) {
    before.keySet().retainAll(view.nodes().keySet());
    long start = view.timeMs() - view.timeMs() % MINUTE;
    if (minutes.isEmpty() || minutes.getLast().startMs < start) {
      minutes.addLast(new Minute(start));
    }
    while (minutes.getFirst().startMs < start - KEPT) {
      minutes.removeFirst();
    }
    Minute minute = minutes.getLast();
    for (NodeState node : view.nodes().values()) {
      CacheSample now = node.cache();
      CacheSample old = now == null ? null : before.put(node.id(), now);
      // Counters that went back are a DataNode's that was restarted.
      if (old != null && now.hits() >= old.hits() && now.misses() >= old.misses()) {
        minute.hits += now.hits() - old.hits();
        minute.reads += now.hits() - old.hits() + now.misses() - old.misses();
      }
    }
  }

  /** Null as long as either was not seen for 15 minutes and 1,000 reads. */
  Shares shares(long nowMs) {
    long[] recent = new long[2];
    long[] usual = new long[2];
    for (Minute minute : minutes) {
      long[] sum = minute.startMs > nowMs - RECENT ? recent : usual;
      sum[0] += minute.hits;
      sum[1] += minute.reads;
    }
    boolean seen = !minutes.isEmpty() && minutes.getFirst().startMs <= nowMs - 2 * RECENT;
    return !seen || recent[1] < FEWEST_READS || usual[1] < FEWEST_READS
        ? null
        : new Shares(recent[0] / (double) recent[1], usual[0] / (double) usual[1]);
  }
}
