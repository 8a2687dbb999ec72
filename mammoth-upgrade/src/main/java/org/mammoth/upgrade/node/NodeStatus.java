// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.mammoth.upgrade.tree.HadoopTree;

/**
 * What a node has, as it is and not as a journal says it should be.
 *
 * @param state in one word, see {@link State}
 * @param hadoop version of Hadoop; empty if unknown
 * @param release of Mammoth that daemons start with; empty for none
 * @param running what the NodeManager runs: a release, {@code stock}, or empty if none runs
 * @param nodeManagerPid its process; 0 if none runs
 * @param complaint why it is not well; empty if it is
 * @param engines number of engines and hosts of ApplicationMasters
 * @param engineMb their resident memory together, MiB
 * @param tasks that engines run now
 * @param fallbacks tasks that got a process since the NodeManager started; -1 if unknown
 * @param unfinished a run that ended in the middle: which, where and when; empty if there is none
 * @param advice what to do next; empty if nothing
 */
public record NodeStatus(
    State state,
    String hadoop,
    String release,
    String running,
    long nodeManagerPid,
    String complaint,
    int engines,
    long engineMb,
    int tasks,
    long fallbacks,
    String unfinished,
    String advice) {

  /** In one word. */
  public enum State {
    /** Nothing of Mammoth is here. */
    STOCK,
    /** Mammoth runs. */
    MAMMOTH,
    /** Mammoth is there for the NodeManager's next start, or was there for its last. */
    BETWEEN,
    /** No NodeManager runs. */
    DOWN,
    /** An add-on was unpacked over the installation, which this command leaves as it is. */
    BY_HAND
  }

  /** Looks at this node. */
  public static NodeStatus look(HadoopTree tree, LocalNodeManager nodeManager) throws IOException {
    Layout layout = Layout.of(tree);
    Optional<String> current = layout.currentId();
    Optional<NodeManager.Running> running = nodeManager.running();
    Optional<String> runs = running.flatMap(NodeManager.Running::release);
    boolean left = Files.exists(layout.own()) || layout.hasOwnProfile();
    State state =
        layout.isAddedByHand() ? State.BY_HAND : state(running.isPresent(), current, runs, left);
    Optional<Journal.Entry> unfinished =
        new Journal(layout.journal(), Clock.systemUTC()).unfinished();
    List<NodeManager.Engine> engines = nodeManager.engines();
    JsonNode status = status(nodeManager, runs.isPresent());
    boolean withEngines = runs.isPresent() || state == State.BY_HAND && !nodeManager.isStock();
    String complaint = running.isEmpty() ? "" : nodeManager.complaint(withEngines).orElse("");
    return new NodeStatus(
        state,
        tree.version().orElse(""),
        current.orElse(""),
        running.isEmpty() ? "" : runs.orElse("stock"),
        running.map(NodeManager.Running::pid).orElse(0L),
        complaint,
        engines.size(),
        engines.stream().mapToLong(NodeManager.Engine::residentMb).sum(),
        status.path("admittedTasks").asInt(0),
        runs.isEmpty() ? -1 : status.path("fallbacks").asLong(-1),
        unfinished
            .map(entry -> entry.name() + " at " + entry.at() + ", " + entry.detail())
            .orElse(""),
        advice(state, unfinished.isPresent(), engines.size()));
  }

  private static JsonNode status(LocalNodeManager nodeManager, boolean withEngines)
      throws IOException {
    ObjectMapper json = new ObjectMapper();
    if (!withEngines) {
      return json.createObjectNode();
    }
    try {
      return json.readTree(nodeManager.engineStatus().asText("{}"));
    } catch (IOException doesNotAnswer) {
      return json.createObjectNode();
    }
  }

  private static State state(
      boolean runs, Optional<String> current, Optional<String> running, boolean left) {
    if (!runs) {
      return State.DOWN;
    }
    if (current.isPresent() && current.equals(running)) {
      return State.MAMMOTH;
    }
    return current.isEmpty() && running.isEmpty() && !left ? State.STOCK : State.BETWEEN;
  }

  private static String advice(State state, boolean unfinished, int engines) {
    if (state == State.BY_HAND) {
      return "";
    }
    if (unfinished || state == State.BETWEEN) {
      return "run mammoth-upgrade apply to complete it, or rollback to take it back";
    }
    if (state == State.DOWN) {
      return "start the NodeManager";
    }
    return state == State.STOCK && engines > 0
        ? "engines run that no NodeManager follows: mammoth-upgrade rollback ends them"
        : "";
  }
}
