// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.configure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mammoth.config.names.KeyNames;
import org.mammoth.upgrade.tree.SiteConfig;
import org.mammoth.upgrade.tree.Variables;

/**
 * Hadoop's configuration folder for a cluster, made of the release's own, which is for one host.
 */
public final class ClusterConfig {

  private static final String COMMENT = "Of this cluster; written by \"mammoth configure\".";
  private static final int MOST_NAME_DIRS = 2;

  private final ClusterPlan plan;

  public ClusterConfig(ClusterPlan plan) {
    this.plan = plan;
  }

  /**
   * Writes it.
   *
   * @param from a configuration folder of the release
   * @param to a folder that is not there yet, or is empty
   * @throws IOException if there is something in {@code to}, or it cannot be written; the message
   *     says so
   */
  public void write(Path from, Path to) throws IOException {
    if (Files.exists(to) && !isEmpty(to)) {
      throw new IOException(to + " has files already; name a new folder with --to");
    }
    requireMammoth(from);
    SiteFile core = SiteFile.read(from.resolve("core-site.xml"));
    SiteFile hdfs = SiteFile.read(from.resolve("hdfs-site.xml"));
    SiteFile yarn = SiteFile.read(from.resolve("yarn-site.xml"));
    SiteFile mapred = SiteFile.read(from.resolve("mapred-site.xml"));
    Files.createDirectories(to);
    copy(from, to);
    core.set("fs.defaultFS", "hdfs://" + plan.master() + ":9000")
        .write(to.resolve("core-site.xml"), COMMENT);
    hdfs(hdfs).write(to.resolve("hdfs-site.xml"), COMMENT);
    yarn(yarn).write(to.resolve("yarn-site.xml"), COMMENT);
    mapred(mapred).write(to.resolve("mapred-site.xml"), COMMENT);
    Files.write(to.resolve("workers"), plan.workers());
    if (!plan.javaHome().isEmpty()) {
      export(to, "export JAVA_HOME=" + plan.javaHome() + "\n");
    }
  }

  /**
   * Adds to a configuration's {@code hadoop-env.sh}.
   *
   * @param lines each with its end
   */
  static void export(Path conf, String lines) throws IOException {
    Files.writeString(
        conf.resolve("hadoop-env.sh"),
        "\n# " + COMMENT + "\n" + lines,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** A cluster made of a client's configuration would run without engines, on loopback. */
  private static void requireMammoth(Path from) throws IOException {
    Path file = from.resolve("yarn-site.xml");
    SiteConfig yarn = SiteConfig.read(List.of(file), Variables.ofThisTool());
    String key = "yarn.nodemanager.container-executor.class";
    if (!yarn.get(key, "").startsWith("org.mammoth.")) {
      throw new IOException(
          file
              + " has no executor of Mammoth's in "
              + key
              + ": it is not the release's own; name etc/hadoop of the release with --conf-dir");
    }
  }

  private static boolean isEmpty(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private static String uris(List<String> folders) {
    return String.join(",", folders.stream().map(folder -> "file://" + folder).toList());
  }

  private SiteFile hdfs(SiteFile site) {
    List<String> names = plan.onEachDisk("hdfs/name");
    site.set(
            "dfs.namenode.name.dir", uris(names.subList(0, Math.min(MOST_NAME_DIRS, names.size()))))
        .set("dfs.namenode.checkpoint.dir", uris(plan.onEachDisk("hdfs/checkpoint").subList(0, 1)))
        .set("dfs.datanode.data.dir", uris(plan.onEachDisk("hdfs/data")))
        .set("dfs.replication", String.valueOf(plan.replication()))
        .set("dfs.namenode.secondary.http-address", plan.master() + ":9868")
        // What binds to loopback on one host.
        .remove(
            "dfs.namenode.http-address",
            "dfs.datanode.hostname",
            "dfs.datanode.address",
            "dfs.datanode.http.address",
            "dfs.datanode.ipc.address");
    if (plan.hasSsdCache()) {
      site.set(KeyNames.SSD_CACHE_ENABLED, "true").set(KeyNames.SSD_CACHE_DIRS, plan.ssd());
    }
    return site;
  }

  private SiteFile yarn(SiteFile site) {
    List<String> local = new ArrayList<>(plan.onEachDisk("yarn/local"));
    site.set("yarn.resourcemanager.hostname", plan.master())
        .remove("yarn.nodemanager.hostname")
        .set("yarn.nodemanager.recovery.dir", plan.disks().get(0) + "/yarn/nm-recovery")
        .set("yarn.log.server.url", "http://" + plan.master() + ":19888/jobhistory/logs");
    if (plan.hasSsdCache()) {
      // What tasks spill goes there while the cache has room to lend; never the first folder.
      local.add(plan.ssdFolder() + "/localized");
      site.set(KeyNames.SSD_DIRS, plan.ssdFolder() + "/localized");
    }
    return site.set("yarn.nodemanager.local-dirs", String.join(",", local));
  }

  private SiteFile mapred(SiteFile site) {
    return site.set("mapreduce.jobhistory.address", plan.master() + ":10020")
        .set("mapreduce.jobhistory.webapp.address", plan.master() + ":19888")
        .set("mapreduce.jobhistory.admin.address", plan.master() + ":10033");
  }
}
