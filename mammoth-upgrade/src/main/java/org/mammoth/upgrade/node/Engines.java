// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Brings a node's engines to their end before the NodeManager that follows them goes: another
 * NodeManager could not follow their tasks.
 */
final class Engines {

  private final NodeManager nodeManager;
  private final Progress progress;

  Engines(NodeManager nodeManager, Progress progress) {
    this.nodeManager = nodeManager;
    this.progress = progress;
  }

  /**
   * New tasks go to ordinary containers, and engines end with the last task they have. While there
   * is none, a NodeManager that does not take orders, perhaps as it is broken, keeps nobody
   * waiting.
   *
   * @throws StepFailedException if some have not ended in time, and may not be forced to
   */
  void drain(RunOptions options) throws IOException, InterruptedException {
    try {
      nodeManager.switchOff();
    } catch (IOException e) {
      if (!options.force() && !nodeManager.engines().isEmpty()) {
        throw new StepFailedException(
            "the NodeManager does not take the order to drain its engines: "
                + e.getMessage()
                + "; with --force their tasks are ended instead, and run again elsewhere");
      }
      progress.say("the NodeManager does not take orders: " + e.getMessage());
    }
    List<NodeManager.Engine> left = waitFor(options.drain());
    if (left.isEmpty()) {
      return;
    }
    if (!options.force()) {
      throw new StepFailedException(
          names(left)
              + " still have tasks after "
              + options.drain().toSeconds()
              + " s. They take no new ones: run the command again later, with a longer"
              + " --drain-timeout, or with --force, which ends the tasks (their jobs run them"
              + " again)");
    }
    end();
  }

  private List<NodeManager.Engine> waitFor(Duration most) throws IOException, InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    List<NodeManager.Engine> left = nodeManager.engines();
    int said = -1;
    while (!left.isEmpty() && System.nanoTime() - end < 0) {
      if (left.size() != said) {
        progress.say("waiting for " + names(left) + " to end the tasks they have");
        said = left.size();
      }
      nodeManager.pause();
      left = nodeManager.engines();
    }
    return left;
  }

  /** Ends what is left, with its tasks. */
  void end() throws IOException, InterruptedException {
    List<NodeManager.Engine> left = nodeManager.engines();
    if (left.isEmpty()) {
      return;
    }
    progress.say("ending " + names(left));
    List<NodeManager.Engine> still = nodeManager.end(left);
    if (!still.isEmpty()) {
      throw new StepFailedException(
          names(still) + " cannot be ended; does this user own their processes?");
    }
  }

  static String names(List<NodeManager.Engine> engines) {
    return engines.stream()
        .map(engine -> engine.name() + " (pid " + engine.pid() + ")")
        .collect(Collectors.joining(", "));
  }
}
