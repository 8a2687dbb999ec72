// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.client.cli.LogsCLI;
import org.apache.hadoop.yarn.server.nodemanager.webapp.ContainerLogsUtils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mammoth.compat.cluster.ClientProcess;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.Probe;
import org.mammoth.compat.cluster.SharedCluster;

/**
 * Every in-engine attempt has its own syslog, stdout and stderr, and nothing of it is in another's.
 */
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogsIT {
  private static final int MAPS = 4;

  private Probe probe;

  @BeforeAll
  void speak(MiniCluster cluster) throws Exception {
    JobCode code = JobCode.ofThisModule(cluster.home().resolve("jars").resolve("logs.jar"));
    List<List<String>> maps =
        Stream.iterate(0, map -> map + 1)
            .limit(MAPS)
            // The pause makes them speak at the same time; the second sentence comes after others
            // have begun.
            .map(map -> List.of("say first-" + map, "sleep 1500", "say second-" + map))
            .toList();
    probe = Probe.of(cluster, code, "logs", maps).submit();
    assertThat(probe.await()).isTrue();
    assertThat(probe.notes().ordinary()).as("this is about in-engine attempts").isEmpty();
  }

  /** Container to its log files' texts, for the containers in which a map has spoken. */
  private Map<String, Map<String, String>> local(MiniCluster cluster) throws IOException {
    Map<String, Map<String, String>> containers = new TreeMap<>();
    Path logs = cluster.home().resolve("logs").resolve(probe.application().toString());
    try (Stream<Path> folders = Files.list(logs)) {
      for (Path folder : folders.toList()) {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> each = Files.list(folder)) {
          for (Path file : each.toList()) {
            files.put(file.getFileName().toString(), Files.readString(file));
          }
        }
        if (files.getOrDefault("stdout", "").contains("out first")) {
          containers.put(folder.getFileName().toString(), files);
        }
      }
    }
    return containers;
  }

  @Test
  void containerFoldersHoldEachAttemptsOwn(MiniCluster cluster) throws IOException {
    Map<String, Map<String, String>> containers = local(cluster);
    assertThat(containers).hasSize(MAPS);
    for (Map<String, String> files : containers.values()) {
      assertThat(files).containsKeys("syslog", "stdout", "stderr");
      String tag = tag(files.get("stdout"));
      for (String sentence : new String[] {"first-" + tag, "second-" + tag}) {
        assertThat(files.get("stdout"))
            .contains("out " + sentence + " ")
            .contains("child " + sentence + " ");
        assertThat(files.get("stderr")).contains("err " + sentence + " ");
        assertThat(files.get("syslog")).contains("log " + sentence + " ");
      }
      assertNothingOfOthers(tag, files);
    }
  }

  @Test
  void otherContainersOfTheJobHoldNothingOfTheMaps(MiniCluster cluster) throws IOException {
    Map<String, Map<String, String>> maps = local(cluster);
    Path logs = cluster.home().resolve("logs").resolve(probe.application().toString());
    try (Stream<Path> walk = Files.walk(logs)) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        if (!maps.containsKey(file.getParent().getFileName().toString())) {
          assertThat(Files.readString(file))
              .as(file.toString())
              .doesNotContain("out first-", "err first-", "log first-");
        }
      }
    }
  }

  @Test
  void aggregatedLogsHoldTheSame(MiniCluster cluster) throws Exception {
    Map<String, String> sections = aggregated(cluster);
    for (Map.Entry<String, Map<String, String>> container : local(cluster).entrySet()) {
      String tag = tag(container.getValue().get("stdout"));
      String text = sections.get(container.getKey());
      assertThat(text).as("yarn logs of " + container.getKey()).isNotNull();
      assertThat(text).contains("LogType:syslog", "LogType:stdout", "LogType:stderr");
      assertThat(text).contains("out second-" + tag, "err second-" + tag, "log second-" + tag);
      assertNothingOfOthers(tag, Map.of("aggregated", text));
    }
  }

  /** What {@code yarn logs} prints for each container, once the node has aggregated. */
  private Map<String, String> aggregated(MiniCluster cluster) throws Exception {
    List<String> arguments = List.of("-applicationId", probe.application().toString());
    Path folder = cluster.home().resolve("yarn-logs");
    String text =
        Awaitility.await()
            .atMost(Duration.ofSeconds(90))
            .pollInterval(Duration.ofSeconds(1))
            .until(
                () ->
                    ClientProcess.run(folder, cluster.conf(), LogsCLI.class.getName(), arguments)
                        .output(),
                output -> output.contains("out second-0"));
    Map<String, String> sections = new TreeMap<>();
    for (String section : text.split("(?m)^Container: ")) {
      // A container has one section for each of its files.
      sections.merge(section.split("\\s")[0], section, String::concat);
    }
    return sections;
  }

  @Test
  void theJobCommandPrintsAnAttemptsLog(MiniCluster cluster) throws Exception {
    String attempt = probe.notes().byAttempt().keySet().iterator().next();
    List<String> arguments = List.of("-logs", probe.job().getJobID().toString(), attempt);
    Path folder = cluster.home().resolve("job-logs");
    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> {
              var result =
                  ClientProcess.run(folder, cluster.conf(), JobClient.class.getName(), arguments);
              assertThat(result.output()).contains(attempt).contains("LogType:syslog");
              assertNothingOfOthers(tag(result.output()), Map.of("job -logs", result.output()));
            });
  }

  /**
   * Asks what the NodeManager's page asks: several web applications in one JVM leave only the last
   * one's pages.
   */
  @Test
  void theNodesPageFindsThem(MiniCluster cluster) throws Exception {
    JobCode code = JobCode.ofThisModule(cluster.home().resolve("jars").resolve("logs-page.jar"));
    Probe running =
        Probe.of(cluster, code, "logs-page", List.of(List.of("say page-0", "sleep 6000"))).submit();
    Path folder = cluster.home().resolve("logs").resolve(running.application().toString());
    Awaitility.await()
        .atMost(Duration.ofSeconds(40))
        .pollInterval(Duration.ofMillis(200))
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              ContainerId container = ContainerId.fromString(speaking(folder));
              for (String name : List.of("stdout", "stderr", "syslog")) {
                File file =
                    ContainerLogsUtils.getContainerLogFile(
                        container, name, "root", cluster.node().getNMContext());
                assertThat(Files.readString(file.toPath())).as(name).contains("page-0");
              }
            });
    assertThat(running.await()).isTrue();
  }

  private static String speaking(Path folder) throws IOException {
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Path file : walk.filter(path -> path.endsWith("stdout")).toList()) {
        if (Files.readString(file).contains("out page-0")) {
          return file.getParent().getFileName().toString();
        }
      }
    }
    throw new IOException("nobody has spoken yet in " + folder);
  }

  /** The number of the map that wrote a text. */
  private static String tag(String stdout) {
    int at = stdout.indexOf("out first-") + "out first-".length();
    return stdout.substring(at, stdout.indexOf(' ', at));
  }

  private static void assertNothingOfOthers(String tag, Map<String, String> files) {
    for (int other = 0; other < MAPS; other++) {
      if (!tag.equals(Integer.toString(other))) {
        String first = "first-" + other + " ";
        String second = "second-" + other + " ";
        assertThat(files)
            .allSatisfy((name, text) -> assertThat(text).as(name).doesNotContain(first, second));
      }
    }
  }
}
