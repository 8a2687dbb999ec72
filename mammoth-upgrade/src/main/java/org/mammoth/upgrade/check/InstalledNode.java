// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mammoth.config.names.KeyNames;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.JavaHome;
import org.mammoth.upgrade.tree.JavaProcess;
import org.mammoth.upgrade.tree.SiteConfig;

/** What keeps the tasks of a node that has Mammoth from its engines. */
public final class InstalledNode {

  private static final String EXECUTOR = "yarn.nodemanager.container-executor.class";
  private static final String PLAIN = "org.mammoth.mapreduce.nodemanager.MammothContainerExecutor";
  private static final String OF_USERS =
      "org.mammoth.mapreduce.nodemanager.MammothLinuxContainerExecutor";
  private static final String SHUFFLE = "yarn.nodemanager.aux-services.mapreduce_shuffle.class";
  private static final String OUR_SHUFFLE =
      "org.mammoth.mapreduce.nodemanager.MammothShuffleHandler";

  private final SiteConfig node;
  private final Path file;

  private InstalledNode(SiteConfig node, Path file) {
    this.node = node;
    this.file = file;
  }

  /**
   * Looks at a node of the release.
   *
   * @param node what its NodeManager reads
   * @param nodeManager the one that runs
   */
  public static List<Finding> examine(
      HadoopTree tree, SiteConfig node, Optional<JavaProcess> nodeManager) throws IOException {
    InstalledNode check = new InstalledNode(node, tree.conf().resolve("yarn-site.xml"));
    List<Finding> found = new ArrayList<>();
    found.add(Versions.java(nodeManager, JavaHome.chosenIn(node)));
    found.add(check.executor());
    found.addAll(LinuxExecutor.check(tree, node));
    check.ofRoot(nodeManager).ifPresent(found::add);
    found.add(check.shuffle());
    found.add(check.recovery());
    check.resources().ifPresent(found::add);
    NodeMemory.check(node, tree.jobConfig(), nodeManager).ifPresent(found::add);
    MasterAddress.check(node.get("yarn.resourcemanager.hostname", "")).ifPresent(found::add);
    found.addAll(Machine.localDirs(node));
    found.addAll(UnknownKeysCheck.check(tree));
    return found;
  }

  private Finding executor() {
    String id = "container-executor";
    String value = node.get(EXECUTOR, "upstream's default");
    boolean kerberos = !node.get("hadoop.security.authentication", "simple").equals("simple");
    if (!value.equals(PLAIN) && !value.equals(OF_USERS)) {
      return Finding.error(
          id,
          EXECUTOR + " is " + value + " in " + file + ": all tasks run in ordinary containers",
          "set it to " + PLAIN + ", or where containers run as their users to " + OF_USERS);
    }
    if (!node.isTrue(KeyNames.ENGINE_ENABLED, true)) {
      return Finding.error(
          id, KeyNames.ENGINE_ENABLED + " is false in " + file, "remove that key to have engines");
    }
    if (kerberos && value.equals(PLAIN)) {
      return Finding.error(
          id,
          "with Kerberos this executor runs all tasks in ordinary containers",
          "set " + EXECUTOR + " to " + OF_USERS + ", which runs engines as their users");
    }
    return Finding.ok(id, value.substring(value.lastIndexOf('.') + 1));
  }

  /** With the default executor tasks have the rights of the NodeManager. */
  private Optional<Finding> ofRoot(Optional<JavaProcess> nodeManager) {
    return nodeManager
        .filter(process -> process.owner().equals("root") && node.get(EXECUTOR, "").equals(PLAIN))
        .map(
            process ->
                Finding.warning(
                    "root",
                    "the NodeManager is root's, and so are the tasks of all users",
                    "run the daemons as a user of their own: YARN_NODEMANAGER_USER and the like in"
                        + " hadoop-env.sh"));
  }

  private Finding shuffle() {
    String value = node.get(SHUFFLE, "upstream's default");
    return value.equals(OUR_SHUFFLE)
        ? Finding.ok("map-output-server", "Mammoth's")
        : Finding.warning(
            "map-output-server",
            SHUFFLE + " is " + value + ": other nodes cannot find this node's engines",
            "set it to " + OUR_SHUFFLE);
  }

  private Finding recovery() {
    boolean keeps =
        node.isTrue("yarn.nodemanager.recovery.enabled", false)
            && node.isTrue("yarn.nodemanager.recovery.supervised", false);
    return keeps
        ? Finding.ok("recovery", "a NodeManager that restarts finds its engines again")
        : Finding.warning(
            "recovery",
            "a restart of the NodeManager ends its engines with all their tasks",
            "set yarn.nodemanager.recovery.enabled and yarn.nodemanager.recovery.supervised to"
                + " true, and a fixed port in yarn.nodemanager.address");
  }

  /**
   * Engines get groups for CPU and memory as containers do; what gives one container something that
   * no other has, or ends single ones, does not fit a process with many tasks.
   */
  private Optional<Finding> resources() {
    String plugins = node.get("yarn.nodemanager.resource-plugins", "");
    List<String> found =
        Stream.of(
                "yarn.nodemanager.elastic-memory-control.enabled",
                "yarn.nodemanager.resource.network.enabled",
                "yarn.nodemanager.resource.disk.enabled",
                "yarn.nodemanager.numa-awareness.enabled",
                "yarn.nodemanager.network-tagging-handler.enabled")
            .filter(key -> node.isTrue(key, false))
            .collect(Collectors.toCollection(ArrayList::new));
    if (!plugins.isBlank()) {
      found.add("yarn.nodemanager.resource-plugins");
    }
    return found.isEmpty() || !node.get(EXECUTOR, "").equals(OF_USERS)
        ? Optional.empty()
        : Optional.of(
            Finding.error(
                "resources",
                "a container of this node gets what an engine cannot share out: there are no"
                    + " engines then",
                "switch off " + String.join(", ", found) + ", or leave this node without engines"));
  }
}
