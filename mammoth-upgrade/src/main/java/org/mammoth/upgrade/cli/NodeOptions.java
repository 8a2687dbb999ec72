// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mammoth.upgrade.check.Facts;
import org.mammoth.upgrade.check.Service;
import org.mammoth.upgrade.node.Layout;
import org.mammoth.upgrade.node.LocalNodeManager;
import org.mammoth.upgrade.node.LocalOptions;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.JavaProcess;
import org.mammoth.upgrade.tree.Release;
import picocli.CommandLine.Option;

/** Options of every command: which installation on a node. */
final class NodeOptions {

  @Option(
      names = "--hadoop-home",
      paramLabel = "DIR",
      description = "Apache's installation on the node; by default $HADOOP_HOME.")
  private Path home;

  @Option(
      names = "--conf-dir",
      paramLabel = "DIR",
      description =
          "Its configuration; by default that of the NodeManager that runs from it, or etc/hadoop"
              + " in it.")
  private Path conf;

  HadoopTree tree() throws IOException {
    String homeSet = System.getenv("HADOOP_HOME");
    String confSet = System.getenv("HADOOP_CONF_DIR");
    if (home == null && homeSet == null) {
      throw new IOException("which Hadoop? Name its folder with --hadoop-home or HADOOP_HOME");
    }
    Path folder = home != null ? home : Path.of(homeSet);
    Path settings = conf;
    if (settings == null && home == null && confSet != null) {
      settings = Path.of(confSet);
    }
    return HadoopTree.at(
        folder, settings != null ? settings : LocalNodeManager.confOf(folder).orElse(null));
  }

  /** What this command came with. */
  static Path base() {
    return Path.of(System.getProperty("mammoth.upgrade.base"));
  }

  Facts facts(HadoopTree tree) throws IOException, InterruptedException {
    LocalNodeManager nodeManager = new LocalNodeManager(tree, new LocalOptions("", ""));
    Optional<JavaProcess> process = nodeManager.process();
    return new Facts(
        tree,
        Layout.of(tree),
        nodeManager.config(),
        tree.jobConfig(),
        Release.at(base()),
        process,
        nodeManager.obstacle(),
        process.flatMap(running -> Service.of(running.pid())));
  }

  /** The same options for another host. */
  List<String> words() {
    List<String> words = new ArrayList<>();
    add(words, "--hadoop-home", home == null ? System.getenv("HADOOP_HOME") : home.toString());
    String settings = home == null && conf == null ? System.getenv("HADOOP_CONF_DIR") : null;
    add(words, "--conf-dir", conf == null ? settings : conf.toString());
    return words;
  }

  static void add(List<String> words, String option, String value) {
    Optional.ofNullable(value)
        .ifPresent(
            text -> {
              words.add(option);
              words.add(text);
            });
  }
}
