// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.mammoth.console.live.EngineLosses;
import org.mammoth.console.model.DiskSample;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.NodeState;

/** Judges of what engines tell. Times in milliseconds. */
final class EngineJudges {

  private EngineJudges() {}

  /** Looks at each engine of each node that is known. */
  private abstract static class OfEngines implements AlertRule.Judge {

    @Override
    public void look(Facts facts, Consumer<Finding> found) {
      for (NodeState node : facts.moment().view().nodes().values()) {
        if (node.sample() != null) {
          node.sample().engines().forEach(engine -> engine(node.id(), engine, found));
        }
      }
    }

    abstract void engine(String node, EngineSample engine, Consumer<Finding> found);
  }

  /** An engine ended while it ran tasks. */
  record Died(long windowMs) implements AlertRule.Judge {

    @Override
    public void look(Facts facts, Consumer<Finding> found) {
      Map<String, Long> last = new HashMap<>();
      Map<String, Integer> count = new HashMap<>();
      for (EngineLosses.Loss loss : facts.moment().lost()) {
        if (facts.nowMs() - loss.atMs() < windowMs) {
          last.merge(loss.node(), loss.atMs(), Math::max);
          count.merge(loss.node(), 1, Integer::sum);
        }
      }
      last.forEach(
          (node, atMs) -> {
            int n = count.get(node);
            found.accept(
                new Finding(
                    Map.of("node", node),
                    (n == 1 ? "An engine" : n + " engines")
                        + " of "
                        + node
                        + " ended while "
                        + (n == 1 ? "it" : "they")
                        + " ran tasks",
                    "The last one at " + Instant.ofEpochMilli(atMs) + ".",
                    atMs + windowMs));
          });
    }
  }

  /** Tasks that ran in ordinary containers. */
  record Fallbacks(long tasks) implements AlertRule.Judge {

    private static final long WINDOW_MS = 900_000;

    @Override
    public void look(Facts facts, Consumer<Finding> found) {
      for (NodeState node : facts.moment().view().nodes().values()) {
        if (node.sample() != null) {
          look(node.id(), node.sample(), found);
        }
      }
    }

    private void look(String node, NodeSample sample, Consumer<Finding> found) {
      Map<String, Integer> reasons = new LinkedHashMap<>();
      int all = 0;
      for (NodeSample.Fallback fallback : sample.lastFallbacks()) {
        // Both times are the node's own.
        if (sample.atMs() - fallback.atMs() < WINDOW_MS) {
          reasons.merge(fallback.reason(), 1, Integer::sum);
          all++;
        }
      }
      if (all < tasks) {
        return;
      }
      String most =
          reasons.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
      found.accept(
          new Finding(
              Map.of("node", node),
              "Tasks of " + node + " run in ordinary containers",
              all + " tasks or more within 15 minutes, most of them because " + most + ".",
              0));
    }
  }

  /** A pool that is nearly full. */
  static final class Pressure extends OfEngines {

    @Override
    void engine(String node, EngineSample engine, Consumer<Finding> found) {
      if (engine.memory().pressure()) {
        found.accept(
            new Finding(
                Map.of("node", node),
                "The memory of " + node + " is under pressure",
                "The pool of "
                    + engine.id()
                    + " is nearly full: "
                    + (engine.memory().poolUsed() >> 20)
                    + " of "
                    + (engine.memory().poolLimit() >> 20)
                    + " MiB; "
                    + engine.memory().waiters().size()
                    + " requests wait.",
                0));
      }
    }
  }

  /** A disk that does not keep up. */
  static final class Backlog extends OfEngines {

    private final long ageMs;

    Backlog(long ageMs) {
      this.ageMs = ageMs;
    }

    @Override
    void engine(String node, EngineSample engine, Consumer<Finding> found) {
      for (DiskSample disk : engine.disks()) {
        long waits = Math.max(disk.oldestAgeMs(), disk.longestInFlightMs());
        if (waits > ageMs) {
          found.accept(
              new Finding(
                  Map.of("node", node, "disk", disk.name()),
                  "Disk " + disk.name() + " of " + node + " does not keep up",
                  "Its oldest request is "
                      + waits / 1000
                      + " s old, and "
                      + (disk.heldBytes() >> 20)
                      + " MiB wait.",
                  0));
        }
      }
    }
  }

  /** A local directory that is left out. */
  static final class DirOut extends OfEngines {

    @Override
    void engine(String node, EngineSample engine, Consumer<Finding> found) {
      for (DiskSample disk : engine.disks()) {
        for (DiskSample.Dir dir : disk.dirs()) {
          if (!dir.reason().isEmpty()) {
            found.accept(
                new Finding(
                    Map.of("node", node, "disk", disk.name(), "dir", dir.path()),
                    dir.path() + " of " + node + " is left out",
                    dir.reason() + ".",
                    0));
          }
        }
      }
    }

    @Override
    public boolean unknown(Facts facts, Alert alert) {
      // With no engine nobody uses the directory, so nobody says that it is well again.
      return super.unknown(facts, alert) || noEngine(facts, alert.label("node"));
    }

    private static boolean noEngine(Facts facts, String id) {
      NodeState node = facts.moment().view().nodes().get(id);
      List<EngineSample> engines =
          node == null || node.sample() == null ? null : node.sample().engines();
      return engines != null && engines.stream().noneMatch(engine -> !engine.disks().isEmpty());
    }
  }
}
