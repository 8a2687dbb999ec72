// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.mammoth.console.model.NodeState;

/** Judges of masters and of nodes as a whole. */
final class NodeJudges {

  private NodeJudges() {}

  /** A master that does not do its work. */
  static final class Masters implements AlertRule.Judge {

    @Override
    public void look(Facts facts, Consumer<Finding> found) {
      facts
          .moment()
          .view()
          .masters()
          .forEach(
              (origin, error) -> {
                if (!error.isEmpty() && !Facts.notAsked(error)) {
                  found.accept(
                      new Finding(
                          Map.of("master", origin),
                          "The master at " + origin + " does not do its work",
                          error + ".",
                          0));
                }
              });
    }

    @Override
    public boolean unknown(Facts facts, Alert alert) {
      String error = facts.moment().view().masters().get(alert.label("master"));
      return error != null && Facts.notAsked(error);
    }
  }

  /** A node that cannot be read, or that YARN has lost or gives no containers. */
  static final class Reach implements AlertRule.Judge {

    @Override
    public void look(Facts facts, Consumer<Finding> found) {
      for (NodeState node : facts.moment().view().nodes().values()) {
        String what =
            switch (node.reach()) {
              case GONE -> "is unreachable";
              case SLOW -> "does not answer in time";
              case REFUSED -> "refuses the console";
              default -> "";
            };
        if (!what.isEmpty()) {
          found.accept(finding(node.id(), what, node.reason()));
        } else if (Facts.addressed(node) && node.yarnState().equals("UNHEALTHY")) {
          found.accept(finding(node.id(), "is unhealthy", "The ResourceManager says UNHEALTHY"));
        }
      }
      facts
          .lost()
          .forEach(
              (id, state) -> {
                if (state.equals("LOST")) {
                  found.accept(finding(id, "is lost", "The ResourceManager says LOST"));
                }
              });
    }

    private static Finding finding(String id, String what, String reason) {
      return new Finding(Map.of("node", id), id + " " + what, reason + ".", 0);
    }

    @Override
    public boolean unknown(Facts facts, Alert alert) {
      NodeState node = facts.moment().view().nodes().get(alert.label("node"));
      boolean unread = node != null && Facts.addressed(node) && node.reach() == NodeState.Reach.NEW;
      return unread || facts.gone(alert.label("node"));
    }
  }

  /** Local folders that a NodeManager has left out: full, or failed. */
  static final class LocalDirs implements AlertRule.Judge {

    @Override
    public void look(Facts facts, Consumer<Finding> found) {
      for (NodeState node : facts.moment().view().nodes().values()) {
        if (node.badLocalDirs() > 0) {
          found.accept(
              new Finding(
                  Map.of("node", node.id()),
                  node.id() + " has left local folders out",
                  "Out of use: " + node.badLocalDirs() + " of yarn.nodemanager.local-dirs.",
                  0));
        }
      }
    }
  }

  /** Disks of a DataNode that have failed. */
  static final class Volumes implements AlertRule.Judge {

    @Override
    public void look(Facts facts, Consumer<Finding> found) {
      for (NodeState node : facts.moment().view().nodes().values()) {
        if (node.failedVolumes() > 0) {
          found.accept(
              new Finding(
                  Map.of("node", node.id()),
                  "Disks of the DataNode of " + node.id() + " have failed",
                  "Failed: " + node.failedVolumes() + " of dfs.datanode.data.dir.",
                  0));
        }
      }
    }

    @Override
    public boolean unknown(Facts facts, Alert alert) {
      NodeState node = facts.moment().view().nodes().get(alert.label("node"));
      boolean untold = node != null && node.dataNode() != null && node.dfs() == null;
      return untold || facts.gone(alert.label("node"));
    }
  }

  /** Nodes of different versions. */
  static final class Versions implements AlertRule.Judge {

    @Override
    public void look(Facts facts, Consumer<Finding> found) {
      Map<String, Integer> versions = new TreeMap<>();
      int foreign = 0;
      for (NodeState node : facts.moment().view().nodes().values()) {
        if (!node.version().isEmpty()) {
          versions.merge(node.version(), 1, Integer::sum);
        }
        if (node.reach() == NodeState.Reach.FOREIGN) {
          foreign++;
        }
      }
      if (versions.size() > 1 || foreign > 0) {
        StringBuilder said = new StringBuilder();
        versions.forEach(
            (version, nodes) ->
                said.append(said.length() == 0 ? "" : ", ")
                    .append(nodes + " of Hadoop " + version));
        if (foreign > 0) {
          said.append(said.length() == 0 ? "" : "; ")
              .append(foreign + " answer in a way this console does not understand");
        }
        found.accept(
            new Finding(Map.of(), "Nodes run different versions", "Nodes: " + said + ".", 0));
      }
    }

    @Override
    public boolean unknown(Facts facts, Alert alert) {
      return facts.moment().view().nodes().isEmpty();
    }
  }
}
