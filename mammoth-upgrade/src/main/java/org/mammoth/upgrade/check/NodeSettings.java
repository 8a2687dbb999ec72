// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mammoth.config.names.KeyNames;
import org.mammoth.upgrade.tree.JavaProcess;
import org.mammoth.upgrade.tree.SiteConfig;

/** What the NodeManager's own configuration says for or against engines. */
final class NodeSettings {

  private static final String EXECUTOR = "yarn.nodemanager.container-executor.class";
  private static final String STOCK_EXECUTOR =
      "org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor";
  private static final String SHUFFLE = "yarn.nodemanager.aux-services.mapreduce_shuffle.class";
  private static final String STOCK_SHUFFLE = "org.apache.hadoop.mapred.ShuffleHandler";
  private static final String OURS = "org.mammoth.";

  private final SiteConfig conf;
  private final Path file;

  private NodeSettings(SiteConfig conf, Path file) {
    this.conf = conf;
    this.file = file;
  }

  static List<Finding> check(Facts facts) {
    NodeSettings settings =
        new NodeSettings(facts.node(), facts.tree().conf().resolve("yarn-site.xml"));
    List<Finding> found = new ArrayList<>();
    found.add(settings.executor());
    found.add(settings.shuffle());
    found.add(settings.otherServices());
    found.add(settings.security());
    found.addAll(settings.recovery());
    settings.encryptedShuffle(facts.job()).ifPresent(found::add);
    settings.switchedOff().ifPresent(found::add);
    userClassPath(facts.nodeManager()).ifPresent(found::add);
    return found;
  }

  private Finding executor() {
    String id = "container-executor";
    String value = conf.get(EXECUTOR, STOCK_EXECUTOR);
    if (value.startsWith(OURS)) {
      return Finding.error(
          id,
          EXECUTOR + " in " + file + " already names Mammoth: it was added by hand",
          "remove that key and the other mammoth entries from "
              + file
              + ", restart the NodeManager, remove share/hadoop/mammoth as 'added-by-hand' says,"
              + " and check again");
    }
    if (!value.equals(STOCK_EXECUTOR)) {
      return Finding.error(
          id,
          EXECUTOR
              + " is "
              + value
              + ": Mammoth would replace it, and every container would run as the NodeManager's"
              + " own user",
          "leave this node as it is; nodes with and without Mammoth can be mixed");
    }
    if (conf.isFinal(EXECUTOR)) {
      return Finding.error(
          id,
          EXECUTOR + " is final in " + conf.origin(EXECUTOR).orElse(file),
          "remove <final>true</final> from it");
    }
    return Finding.ok(id, "DefaultContainerExecutor: Mammoth's is a subclass of it");
  }

  private Finding shuffle() {
    String id = "map-output-server";
    if (!conf.list("yarn.nodemanager.aux-services", "").contains("mapreduce_shuffle")) {
      return Finding.error(
          id,
          "yarn.nodemanager.aux-services has no mapreduce_shuffle: no MapReduce job can run here",
          "add it if MapReduce jobs should run here; else this node has no use for Mammoth");
    }
    String value = conf.get(SHUFFLE, STOCK_SHUFFLE);
    if (!value.equals(STOCK_SHUFFLE) && !value.startsWith(OURS)) {
      return Finding.error(
          id,
          SHUFFLE + " is " + value + ", which Mammoth's would replace",
          "leave this node as it is, or remove that key");
    }
    if (conf.isFinal(SHUFFLE)) {
      return Finding.error(
          id,
          SHUFFLE + " is final in " + conf.origin(SHUFFLE).orElse(file),
          "remove <final>true</final> from it");
    }
    if (conf.find("yarn.nodemanager.aux-services.manifest").isPresent()
        || conf.isTrue("yarn.nodemanager.aux-services.manifest.enabled", false)) {
      return Finding.error(
          id,
          "auxiliary services come from a manifest, in which Mammoth's class cannot be set",
          "name mapreduce_shuffle in yarn.nodemanager.aux-services instead");
    }
    return Finding.ok(id, "mapreduce_shuffle: Mammoth's is upstream's with a second port");
  }

  private Finding otherServices() {
    List<String> others =
        conf.list("yarn.nodemanager.aux-services", "").stream()
            .filter(name -> !name.equals("mapreduce_shuffle"))
            .toList();
    return Finding.ok(
        "aux-services",
        others.isEmpty()
            ? "no auxiliary service beside mapreduce_shuffle"
            : "stay as they are: " + String.join(", ", others));
  }

  private Finding security() {
    String way = conf.get("hadoop.security.authentication", "simple");
    return way.equals("simple")
        ? Finding.ok("security", "simple authentication")
        : Finding.error(
            "security",
            "hadoop.security.authentication is "
                + way
                + ": engines are off then, and all tasks run as before",
            "leave this node as it is");
  }

  private List<Finding> recovery() {
    String id = "recovery";
    if (!conf.isTrue("yarn.nodemanager.recovery.enabled", false)) {
      return List.of(
          Finding.error(
              id,
              "yarn.nodemanager.recovery.enabled is false: a restart of the NodeManager ends all"
                  + " containers of this node, and changes its address unless that has a fixed"
                  + " port. Tasks run again elsewhere; a job whose ApplicationMaster is here"
                  + " starts another attempt",
              "set yarn.nodemanager.recovery.enabled, yarn.nodemanager.recovery.supervised and a"
                  + " fixed port in yarn.nodemanager.address, and restart the NodeManager; or"
                  + " decommission the node before; or accept the loss with --accept recovery"));
    }
    if (!conf.isTrue("yarn.nodemanager.recovery.supervised", false)) {
      return List.of(
          Finding.error(
              id,
              "yarn.nodemanager.recovery.supervised is false: a NodeManager that is stopped ends"
                  + " its containers, and later its engines. Tasks run again elsewhere",
              "set yarn.nodemanager.recovery.supervised to true and restart the NodeManager; or"
                  + " accept the loss with --accept recovery"));
    }
    return List.of(Finding.ok(id, "a NodeManager that restarts finds its containers again"));
  }

  /** Upstream has the key in mapred-site.xml, which a NodeManager reads for its shuffle service. */
  private Optional<Finding> encryptedShuffle(SiteConfig jobs) {
    String id = "shuffle-ssl";
    String enabled = "mapreduce.shuffle.ssl.enabled";
    if (!conf.isTrue(enabled, false) && !jobs.isTrue(enabled, false)) {
      return Optional.empty();
    }
    for (String side : List.of("server", "client")) {
      String key = "hadoop.ssl." + side + ".conf";
      Path stores = file.resolveSibling(conf.get(key, "ssl-" + side + ".xml"));
      if (!Files.isReadable(stores)) {
        return Optional.of(
            Finding.warning(
                id,
                "mapreduce.shuffle.ssl.enabled, and "
                    + stores
                    + " ("
                    + key
                    + ") cannot be read: engines have no TLS, and map output goes over upstream's"
                    + " port only",
                "put it there; engines take their key from ssl-server.xml and whom they trust from"
                    + " ssl-client.xml"));
      }
    }
    return Optional.of(
        Finding.ok(
            id,
            "mapreduce.shuffle.ssl.enabled: engines encrypt with the stores of ssl-server.xml and"
                + " ssl-client.xml"));
  }

  private Optional<Finding> switchedOff() {
    return conf.isTrue(KeyNames.ENGINE_ENABLED, true)
        ? Optional.empty()
        : Optional.of(
            Finding.error(
                "switched-off",
                KeyNames.ENGINE_ENABLED
                    + " is false in "
                    + conf.origin(KeyNames.ENGINE_ENABLED).orElse(file),
                "remove that key"));
  }

  /** Who is in front of everything may hide our configuration. */
  private static Optional<Finding> userClassPath(Optional<JavaProcess> nodeManager) {
    Map<String, String> environment = nodeManager.map(JavaProcess::environment).orElse(Map.of());
    return environment.containsKey("HADOOP_USER_CLASSPATH_FIRST")
        ? Optional.of(
            Finding.warning(
                "user-classpath-first",
                "HADOOP_USER_CLASSPATH_FIRST is set for the NodeManager: a yarn-site.xml in"
                    + " HADOOP_CLASSPATH would go before Mammoth's",
                "see that there is none"))
        : Optional.empty();
  }
}
