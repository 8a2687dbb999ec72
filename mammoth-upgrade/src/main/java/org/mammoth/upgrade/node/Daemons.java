// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The steps of a run that concern processes. Each {@code to...} says what is to be done now. */
final class Daemons {

  /** Writes to the journal. */
  interface Notes {
    void note(Journal.Event event, String name, String detail) throws IOException;
  }

  private final NodeManager nodeManager;
  private final Journal journal;
  private final Engines engines;
  private final Progress progress;
  private boolean restarted;

  Daemons(NodeManager nodeManager, Journal journal, Engines engines, Progress progress) {
    this.nodeManager = nodeManager;
    this.journal = journal;
    this.engines = engines;
    this.progress = progress;
  }

  private static String name(Optional<String> release) {
    return release.orElse(Journal.STOCK);
  }

  /**
   * @param wanted which release is to follow; empty for stock
   */
  List<String> toDrainFor(Optional<String> wanted) throws IOException {
    Optional<NodeManager.Running> running = nodeManager.running();
    if (running.isEmpty() || running.get().release().isEmpty()) {
      return wanted.isPresent() ? List.of() : toEnd();
    }
    if (running.get().release().equals(wanted)) {
      return List.of();
    }
    List<NodeManager.Engine> there = nodeManager.engines();
    return List.of(
        "new tasks go to ordinary containers; "
            + (there.isEmpty()
                ? "no engine runs"
                : Engines.names(there) + " end with their tasks"));
  }

  void drain(RunOptions options) throws IOException, InterruptedException {
    Optional<NodeManager.Running> running = nodeManager.running();
    if (running.isPresent() && running.get().release().isPresent()) {
      engines.drain(options);
    } else {
      // Nobody follows them.
      engines.end();
    }
  }

  /**
   * @param wanted which release it should run; empty for stock
   */
  List<String> toRestart(Optional<String> wanted) throws IOException {
    Optional<NodeManager.Running> running = nodeManager.running();
    if (running.isEmpty()) {
      return journal.isRestarting()
          ? List.of("start the NodeManager, which an earlier run has stopped")
          : List.of();
    }
    return running.get().release().equals(wanted)
        ? List.of()
        : List.of(
            "restart the NodeManager (pid "
                + running.get().pid()
                + ") with "
                + name(wanted)
                + ", which runs "
                + name(running.get().release()));
  }

  void restart(Notes notes) throws IOException, InterruptedException {
    notes.note(Journal.Event.RESTARTING, "restart", nodeManager.howStarted());
    nodeManager.restart();
    restarted = true;
    notes.note(Journal.Event.RESTARTED, "restart", "");
  }

  List<String> toSwitchOn() throws IOException {
    Optional<NodeManager.Running> running = nodeManager.running();
    return !restarted
            && running.isPresent()
            && running.get().release().isPresent()
            && nodeManager.complaint(true).isPresent()
        ? List.of("tasks may go to engines, in case an unfinished rollback has drained them")
        : List.of();
  }

  /** Engines that no NodeManager follows; those of one with Mammoth it follows itself. */
  List<String> toEndLeftovers() throws IOException {
    boolean followed = nodeManager.running().flatMap(NodeManager.Running::release).isPresent();
    return followed ? List.of() : toEnd();
  }

  List<String> toEnd() throws IOException {
    List<NodeManager.Engine> there = nodeManager.engines();
    return there.isEmpty() ? List.of() : List.of("end " + Engines.names(there));
  }

  void end() throws IOException, InterruptedException {
    engines.end();
  }

  List<String> toWait() throws IOException {
    return nodeManager.running().isPresent()
        ? List.of("wait until the NodeManager is well")
        : List.of("the NodeManager does not run: nothing to wait for");
  }

  void waitUntilWell(RunOptions options) throws IOException, InterruptedException {
    Optional<String> complaint = complaintInTheEnd(true, options);
    if (complaint.isPresent()) {
      throw notWell(options, complaint.get());
    }
  }

  /**
   * A node that goes back is done when its NodeManager runs without ours, however that is: what
   * ails it, or keeps this command from asking, it may have had before.
   */
  void waitUntilStock(RunOptions options) throws IOException, InterruptedException {
    Optional<String> complaint = complaintInTheEnd(false, options);
    if (complaint.isEmpty()) {
      return;
    }
    if (!nodeManager.isStock()) {
      throw notWell(options, complaint.get());
    }
    progress.say("health: it runs stock, and this is passed over: " + complaint.get());
  }

  private static StepFailedException notWell(RunOptions options, String complaint) {
    return new StepFailedException(
        "after "
            + options.health().toSeconds()
            + " s (--health-timeout) the NodeManager is not well: "
            + complaint);
  }

  private Optional<String> complaintInTheEnd(boolean withEngines, RunOptions options)
      throws IOException, InterruptedException {
    if (nodeManager.running().isEmpty() && !journal.isRestarting()) {
      return Optional.empty();
    }
    long end = System.nanoTime() + options.health().toNanos();
    Optional<String> complaint = nodeManager.complaint(withEngines);
    String said = "";
    while (complaint.isPresent()) {
      if (System.nanoTime() - end >= 0) {
        return complaint;
      }
      if (!complaint.get().equals(said)) {
        said = complaint.get();
        progress.say("health: not yet: " + said);
      }
      nodeManager.pause();
      complaint = nodeManager.complaint(withEngines);
    }
    return complaint;
  }

  List<String> toProbe(RunOptions options) throws IOException {
    return options.probe() && nodeManager.running().isPresent()
        ? List.of("run a small job")
        : List.of();
  }

  void probe() throws IOException, InterruptedException {
    Optional<String> complaint = nodeManager.probe();
    if (complaint.isPresent()) {
      throw new StepFailedException("the probe job did not succeed: " + complaint.get());
    }
  }
}
