// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.configure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mammoth.upgrade.tree.SiteConfig;
import org.mammoth.upgrade.tree.Variables;

/** The release's own configuration, made into that of a cluster. */
class ClusterConfigTest {

  private static final Path RELEASE = Path.of("../hadoop-dist/src/main/conf");
  private static final List<String> DISKS = List.of("/data1/hadoop", "/data2/hadoop", "/data3/h");

  @TempDir Path temp;

  private Path write(String name, List<String> workers, String ssd) throws IOException {
    Path folder = temp.resolve(name);
    ClusterPlan plan = new ClusterPlan("m1.example.org", workers, DISKS, ssd, "/usr/lib/jvm/17");
    new ClusterConfig(plan).write(RELEASE, folder);
    return folder;
  }

  private static SiteConfig read(Path folder) throws IOException {
    return SiteConfig.read(
        Stream.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml")
            .map(folder::resolve)
            .toList(),
        Variables.ofThisTool(name -> null));
  }

  @Test
  void nothingOfOneHostIsLeft() throws IOException {
    Path folder = write("four", List.of("w1", "w2", "w3", "w4"), "");
    try (Stream<Path> files = Files.list(folder)) {
      // The key server and the HTTP gateway stay on loopback until somebody lets users
      // authenticate.
      for (Path file :
          files
              .filter(path -> path.toString().endsWith("-site.xml"))
              .filter(path -> !path.getFileName().toString().matches("(kms|httpfs)-site.xml"))
              .toList()) {
        assertThat(file).content().doesNotContain("localhost").doesNotContain("One node");
      }
    }
    SiteConfig site = read(folder);
    assertThat(site.get("fs.defaultFS", "")).isEqualTo("hdfs://m1.example.org:9000");
    assertThat(site.get("yarn.resourcemanager.hostname", "")).isEqualTo("m1.example.org");
    assertThat(site.get("yarn.nodemanager.address", "")).isEqualTo("0.0.0.0:8041");
    assertThat(site.list("dfs.namenode.name.dir", "")).hasSize(2);
    assertThat(site.list("dfs.datanode.data.dir", ""))
        .containsExactly(
            "file:///data1/hadoop/hdfs/data",
            "file:///data2/hadoop/hdfs/data",
            "file:///data3/h/hdfs/data");
    assertThat(site.get("dfs.replication", "")).isEqualTo("3");
    assertThat(site.get("mammoth.mpcache.enabled", "false")).isEqualTo("false");
    assertThat(folder.resolve("workers")).content().isEqualTo("w1\nw2\nw3\nw4\n");
    assertThat(folder.resolve("hadoop-env.sh")).content().contains("JAVA_HOME=/usr/lib/jvm/17\n");
  }

  /** All that the release sets for speed stays. */
  @Test
  void whatIsNotOfAHostStays() throws IOException {
    SiteConfig before = read(RELEASE);
    SiteConfig after = read(write("two", List.of("w1", "w2"), ""));
    for (String key :
        List.of(
            "yarn.nodemanager.container-executor.class",
            "yarn.nodemanager.aux-services.mapreduce_shuffle.class",
            "yarn.nodemanager.recovery.supervised",
            "dfs.datanode.fsdataset.factory",
            "mapreduce.application.classpath",
            "yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms")) {
      assertThat(after.get(key, "")).as(key).isNotEmpty().isEqualTo(before.get(key, ""));
    }
    assertThat(after.get("dfs.replication", "")).isEqualTo("2");
  }

  @Test
  void anSsdHoldsTheCacheAndWhatTasksSpill() throws IOException {
    SiteConfig site = read(write("ssd", List.of("w1"), "/ssd0/mpcache=80g"));
    assertThat(site.get("mammoth.mpcache.dirs", "")).isEqualTo("/ssd0/mpcache=80g");
    assertThat(site.list("yarn.nodemanager.local-dirs", ""))
        .startsWith("/data1/hadoop/yarn/local")
        .endsWith("/ssd0/mpcache/localized");
    assertThat(site.get("mammoth.io.ssd-dirs", "")).isEqualTo("/ssd0/mpcache/localized");
  }

  @Test
  void writtenOnceMoreFromWhatWasWrittenItIsTheSame() throws IOException {
    Path first = write("first", List.of("w1"), "");
    Path second = temp.resolve("second");
    new ClusterConfig(new ClusterPlan("m1.example.org", List.of("w1"), DISKS, "", ""))
        .write(first, second);
    for (String name : List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml")) {
      assertThat(second.resolve(name)).hasSameTextualContentAs(first.resolve(name));
    }
  }

  @Test
  void whatIsThereIsNotChanged() throws IOException {
    Path folder = write("one", List.of("w1"), "");
    String before = Files.readString(folder.resolve("core-site.xml"));
    assertThatThrownBy(() -> write("one", List.of("w2"), ""))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("--to");
    assertThat(folder.resolve("core-site.xml")).content().isEqualTo(before);
  }

  @Test
  void aClientsConfigurationMakesNoCluster() throws IOException {
    Path client = temp.resolve("client");
    Files.createDirectories(client);
    for (String name :
        List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml")) {
      Files.writeString(client.resolve(name), "<configuration/>");
    }
    Path to = temp.resolve("of-client");
    ClusterPlan plan = new ClusterPlan("m1", List.of("w1"), DISKS, "", "");
    assertThatThrownBy(() -> new ClusterConfig(plan).write(client, to))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("--conf-dir");
    assertThat(to).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, w1, /d, '', look for it on themselves",
    "m1, 'w 1', /d, '', is no host name",
    "m1, w1, data, '', absolute path",
    "m1, w1, '/a b', '', absolute path",
    "m1, w1, /d, /ssd0, no SSD folder with a size",
    "-m, w1, /d, '', is no host name",
  })
  void whatCannotBeIsNamed(String master, String worker, String disk, String ssd, String text) {
    assertThatThrownBy(() -> new ClusterPlan(master, List.of(worker), List.of(disk), ssd, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }

  @Test
  void nothingIsNamedTwice() {
    assertThatThrownBy(() -> new ClusterPlan("m", List.of("w", "w"), List.of("/d"), "", ""))
        .hasMessageContaining("named twice");
  }

  @Test
  void aNodeManagersEnginesOutliveItsService() throws IOException {
    Path conf = write("units", List.of("w1"), "");
    new SystemdUnits(Path.of("/opt/mammoth"), Path.of("/opt/mammoth/etc/hadoop"), "hadoop")
        .write(conf);
    Path folder = conf.resolve("systemd");
    assertThat(folder.resolve("mammoth-nodemanager.service"))
        .content()
        .contains("\nKillMode=process\n")
        .contains("\nPIDFile=/run/mammoth/hadoop-hadoop-nodemanager.pid\n")
        .contains("\nTasksMax=infinity\n")
        .contains("--config /opt/mammoth/etc/hadoop --daemon start nodemanager\n");
    assertThat(folder.resolve("mammoth-datanode.service")).content().doesNotContain("KillMode");
    // Commands look for pid files where services put them.
    assertThat(conf.resolve("hadoop-env.sh"))
        .content()
        .contains("export HADOOP_PID_DIR=/run/mammoth\nexport HADOOP_IDENT_STRING=hadoop\n");
    assertThatThrownBy(() -> new SystemdUnits(folder, folder, "a\nExecStart=/bin/sh"))
        .hasMessageContaining("no name of a user");
    for (String path : List.of("/opt/a b", "/opt/100%")) {
      assertThatThrownBy(() -> new SystemdUnits(Path.of(path), folder, "hadoop"))
          .hasMessageContaining(path);
    }
  }
}
