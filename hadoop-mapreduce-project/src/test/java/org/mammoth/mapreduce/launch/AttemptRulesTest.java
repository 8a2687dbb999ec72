// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.UserLaunch;

class AttemptRulesTest {

  private static final String FIRST = "container_e03_1700000000000_0007_01_000001";
  private static final String SECOND = "container_e03_1700000000000_0007_02_000001";
  private static final String THIRD = "container_e03_1700000000000_0007_03_000001";

  @TempDir private Path folder;

  private static Configuration conf(String key, String value) {
    Configuration conf = new Configuration(false);
    if (value != null) {
      conf.set(key, value);
    }
    return conf;
  }

  private static Configuration cluster(String most) {
    return conf("yarn.resourcemanager.am.max-attempts", most);
  }

  @Test
  void whatMayBeTheLastAttemptOfAJobGetsAProcess() {
    AttemptRules rules = new AttemptRules(cluster(null));
    assertThat(rules.reasonAgainst(FIRST)).isEmpty();
    assertThat(rules.reasonAgainst(SECOND)).isPresent();
    assertThat(new AttemptRules(cluster("1")).reasonAgainst(FIRST)).isEmpty();
  }

  @Test
  void theThirdAttemptOfAJobGetsAProcessOnWhicheverNode() {
    AttemptRules rules = new AttemptRules(cluster("9"));
    assertThat(rules.reasonAgainst(FIRST)).isEmpty();
    assertThat(rules.reasonAgainst(SECOND)).isEmpty();
    assertThat(rules.reasonAgainst(THIRD))
        .hasValueSatisfying(
            reason -> assertThat(reason).contains("2 attempts", "mammoth.engine.quarantine"));
  }

  /** By the rules of upstream's RMAppImpl. */
  @ParameterizedTest
  @CsvSource({
    ", 4, , 1", // a job asks for 2 if it says nothing
    ", 4, 2, 1",
    ", 4, 1, 1",
    ", 4, 3, 2",
    ", 4, 4, 2",
    ", 3, -1, 2",
    ", 2, 4, 1",
    "4, 2, 3, 2",
    "2, 4, 4, 1",
    "2, 3, -1, 2",
  })
  void theJobAndBothLimitsOfTheClusterSayWhichAttemptIsTheLast(
      String global, String most, String ofJob, int hosted) {
    Configuration cluster = cluster(most);
    if (global != null) {
      cluster.set("yarn.resourcemanager.am.global.max-attempts", global);
    }
    AttemptRules rules = new AttemptRules(cluster);
    Configuration job = conf("mapreduce.am.max-attempts", ofJob);
    List<String> attempts = List.of(FIRST, SECOND, THIRD);
    assertThat(attempts)
        .filteredOn(attempt -> rules.reasonAgainst(attempt, job).isEmpty())
        .isEqualTo(attempts.subList(0, hosted));
  }

  @Test
  void theJobsOwnLimitIsReadWhereItsFilesAre() throws IOException {
    assertThat(declined(FIRST, "2")).isEmpty();
    assertThat(declined(SECOND, "2")).contains("1 attempts of its job have ended");
    assertThat(declined(SECOND, "4")).isEmpty();
  }

  /** What an engine of the job's user says of an attempt, on a cluster that allows four. */
  private String declined(String container, String ofJob) throws IOException {
    Path jobFile = Files.createTempFile(folder, "job", ".xml");
    try (OutputStream out = Files.newOutputStream(jobFile)) {
      conf("mapreduce.am.max-attempts", ofJob).writeXml(out);
    }
    UserLaunch launch =
        new UserLaunch(
            Map.of(jobFile.toString(), List.of(MRJobConfig.JOB_CONF_FILE)),
            List.of(),
            List.of("java " + MRJobConfig.APPLICATION_MASTER_CLASS + " "),
            new byte[0],
            new byte[0]);
    ContainerLaunchSpec spec =
        new ContainerLaunchSpec()
            .withIdentity(container, "alice", 1)
            .withFolders(folder.toString(), folder.toString(), List.of());
    JobConf cluster = new JobConf();
    cluster.set("yarn.resourcemanager.am.max-attempts", "4");
    return new UserRules(cluster).judge(spec, launch).declined();
  }
}
