// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.mammoth.upgrade.fleet.Payload;
import org.mammoth.upgrade.fleet.Remote;
import org.mammoth.upgrade.fleet.Rollout;

/** Changes hosts batch by batch and tells how far it came. */
final class Changes {

  static final String LOST =
      "reached, then the connection broke: the command goes on there; mammoth-upgrade status tells";

  private Changes() {}

  /**
   * Runs a command on hosts.
   *
   * @param command {@code apply} or {@code rollback}
   * @param more words that it gets beside the options
   * @return exit status
   */
  static int make(
      String command,
      List<String> more,
      NodeOptions node,
      FleetOptions fleet,
      RunningOptions running,
      PrintWriter out)
      throws IOException, InterruptedException {
    List<String> hosts = fleet.hosts();
    try (Payload payload = Payload.of(NodeOptions.base())) {
      Remote remote = new Remote(fleet.ssh(), payload);
      Map<String, Remote.Answer> answers =
          Rollout.visit(
              hosts,
              running.batch(),
              running.goesOn(),
              (host, isFirst) -> {
                List<String> words = new ArrayList<>(List.of(command));
                words.addAll(node.words());
                words.addAll(running.words(isFirst));
                words.addAll(more);
                Remote.Answer answer = remote.run(host, words, line -> say(out, host, line));
                if (!answer.isReached()) {
                  say(out, host, "cannot be reached");
                }
                if (answer.isLost()) {
                  say(out, host, LOST);
                }
                return answer;
              });
      return summary(command, hosts, answers, running, out);
    }
  }

  private static void say(PrintWriter out, String host, String line) {
    synchronized (out) {
      out.println(host + ": " + line);
      out.flush();
    }
  }

  private static int summary(
      String command,
      List<String> hosts,
      Map<String, Remote.Answer> answers,
      RunningOptions running,
      PrintWriter out) {
    List<String> done = hosts.stream().filter(host -> isDone(answers.get(host))).toList();
    List<String> failed =
        answers.values().stream()
            .filter(answer -> answer.status() != 0)
            .map(Remote.Answer::host)
            .toList();
    List<String> left = hosts.stream().filter(host -> !answers.containsKey(host)).toList();
    out.println();
    out.println(
        (running.isDry() ? "nothing was changed; asked: " : command + " done on ")
            + done.size()
            + " of "
            + hosts.size()
            + " hosts");
    if (!failed.isEmpty()) {
      out.println("trouble on: " + String.join(" ", failed));
    }
    if (!left.isEmpty()) {
      out.println("not begun: " + FleetReports.names(left, hosts.size()));
    }
    if (!failed.isEmpty()) {
      out.println(
          "The cluster works as it is, with nodes of both kinds. The same command again goes on"
              + " where this one ended; mammoth-upgrade status shows each node.");
    }
    out.flush();
    return failed.isEmpty() ? 0 : 1;
  }

  private static boolean isDone(Remote.Answer answer) {
    return answer != null && answer.status() == 0;
  }
}
