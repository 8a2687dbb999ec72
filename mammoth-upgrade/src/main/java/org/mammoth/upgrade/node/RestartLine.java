// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.JavaProcess;

/** What has a shell restart the NodeManager. One thread. */
final class RestartLine {

  /** In which ApplicationMasters learn of containers and launch them. */
  private static final int LAUNCH_S = 3;

  /** More than upstream's five seconds, after which the stop command kills. */
  private static final String STOP_TIMEOUT_S = "60";

  /** Of a tenth of a second each. */
  private static final int END_LOOKS = 300;

  private final HadoopTree tree;
  private final LocalOptions options;
  private final WebPages pages;
  private final LastStart start;

  /**
   * @param start of the one that is to be restarted
   */
  RestartLine(HadoopTree tree, LocalOptions options, WebPages pages, LastStart start) {
    this.tree = tree;
    this.options = options;
    this.pages = pages;
    this.start = start;
  }

  /**
   * The command line that restarts it. Before, the ResourceManager takes the node for full: a
   * container that it had allocated but that was not launched yet would be refused by a NodeManager
   * that has not registered, which upstream counts as a failed attempt. Registering ends that; it
   * is part of this line, so that no node stays full, and where the old one runs on, the line ends
   * it. Not on the largest node: the ResourceManager would refuse jobs meanwhile that ask for more
   * than any other node has.
   *
   * @param before the one that runs
   */
  String text(Optional<JavaProcess> before) throws IOException {
    // Of the shell that this command was given in the NodeManager gets nothing.
    String begin = "umask 022; ";
    String restart = options.restart().isEmpty() ? stopAndStart(before) : own(options.restart());
    Optional<String> id = before.flatMap(running -> nodeId());
    Optional<ClusterNodes.Size> size = id.flatMap(this::sizeBesideAnotherAsLarge);
    if (size.isEmpty()) {
      return begin + restart;
    }
    String memory = String.valueOf(size.get().memoryMb());
    String cores = String.valueOf(size.get().cores());
    return begin
        + yarn("rmadmin", "-updateNodeResource", id.get(), "1", "1")
        + "; sleep "
        + LAUNCH_S
        + "; ("
        + restart
        + "\n); status=$?; if "
        + lives(before.get())
        + "; then "
        + yarn("rmadmin", "-updateNodeResource", id.get(), memory, cores)
        + "; fi; exit $status";
  }

  /** The administrator's own command, which as root's gets nothing that another user could set. */
  private String own(String command) {
    Map<String, String> environment =
        Owners.isRoot() ? Map.of("HADOOP_HOME", tree.home().toString()) : start.environment();
    List<String> words = new ArrayList<>(List.of("env"));
    environment.forEach((name, value) -> words.add(name + "=" + value));
    words.addAll(List.of("bash", "-c", command));
    return Command.line(words);
  }

  /**
   * Hadoop's own, and an end of what its stop has not found: that goes by a file with the pid,
   * which may be gone.
   */
  private String stopAndStart(Optional<JavaProcess> before) throws IOException {
    String stop = yarn("--daemon", "stop", "nodemanager") + "; ";
    String again = yarn("--daemon", "start", "nodemanager");
    if (before.isEmpty()) {
      return stop + again;
    }
    long pid = before.get().pid();
    String kill = Command.line(asItsUser("bash", "-c", "kill -$0 " + pid)) + " $signal";
    return stop
        + "for signal in TERM KILL; do for ((i = 0; i < "
        + END_LOOKS
        + "; i++)); do "
        + lives(before.get())
        + " || break 2; if ((i == 0)); then "
        + kill
        + "; fi; sleep 0.1; done; done; if "
        + lives(before.get())
        + "; then echo 'process "
        + pid
        + " cannot be ended'; false; else "
        + again
        + "; fi";
  }

  /** Has a shell know whether a process is there and has not ended. */
  private static String lives(JavaProcess process) {
    return "grep -qsa . /proc/" + process.pid() + "/cmdline";
  }

  /** A command line of Hadoop's yarn, as the NodeManager's user. */
  private String yarn(String... arguments) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(tree.command("yarn").toString());
    words.add("--config");
    words.add(tree.conf().toString());
    words.addAll(List.of(arguments));
    return Command.line(asItsUser(words.toArray(String[]::new)));
  }

  private List<String> asItsUser(String... words) throws IOException {
    Map<String, String> environment = start.environment();
    environment.put("HADOOP_STOP_TIMEOUT", STOP_TIMEOUT_S);
    return Command.as(start.user(), environment, List.of(words));
  }

  private Optional<ClusterNodes.Size> sizeBesideAnotherAsLarge(String id) {
    for (String address : pages.resourceManagers()) {
      try {
        ClusterNodes nodes = new ClusterNodes(pages.get(address, ClusterNodes.PAGE));
        return nodes.hasAnotherAsLargeAs(id) ? nodes.sizeToRemember(id) : Optional.empty();
      } catch (IOException standbyOrGone) {
        continue;
      }
    }
    return Optional.empty();
  }

  /** What the ResourceManager calls this node; empty if the NodeManager does not say. */
  private Optional<String> nodeId() {
    try {
      String id =
          pages.get(pages.nodeManager(), "/ws/v1/node/info").path("nodeInfo").path("id").asText();
      return id.isEmpty() ? Optional.empty() : Optional.of(id);
    } catch (IOException doesNotAnswer) {
      return Optional.empty();
    }
  }
}
