// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.eclipse.jetty.client.HttpClient;
import org.junit.jupiter.api.Test;
import org.mammoth.console.live.Moment;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.read.Addresses;
import org.mammoth.console.read.ClusterHttp;
import org.mammoth.console.read.ClusterView;
import org.mammoth.console.read.ContainerLogs;

/** Whose logs the console reads for whom. */
class AttemptLogsTest {

  private static final String OWN = "container_e3_1700000000000_0042_01_000007";
  private static final String BOBS = "container_e3_1700000000000_0041_01_000007";

  private final Configuration conf = new Configuration(false);
  private final JobSample alices =
      new JobSample(
          "job_1700000000000_0042",
          "application_1700000000000_0042",
          "",
          "alice",
          "",
          "RUNNING",
          "",
          0,
          1,
          0,
          0,
          0,
          0,
          "",
          null);

  private String untold(String user, boolean admin, String container) {
    conf.setBoolean("yarn.acl.enable", true);
    // Of no cluster: whatever is asked for fails, and says so.
    ClusterHttp http = new ClusterHttp(new HttpClient(), "");
    AttemptLogs logs = new AttemptLogs(new ContainerLogs(http, Addresses.of(conf), 1000), conf);
    Moment moment = Moment.of(1, new ClusterView(1000, Map.of(), Map.of(), List.of(), null));
    AttemptLogs.Access access = logs.access(new Viewer(user, admin, admin, false), alices);
    return logs.last(moment, "a:8042", container, "syslog", 100, access).join().untold();
  }

  @Test
  void aJobsLogsAreThoseOfItsOwnContainers() {
    assertThat(untold("alice", false, OWN)).contains("history server");
    assertThat(untold("alice", false, BOBS)).isEqualTo("the job names a container that is not its");
    assertThat(untold("root", true, BOBS)).isEqualTo("the job names a container that is not its");
    assertThat(untold("alice", false, "")).isEqualTo("it was given no container");
    assertThat(untold("bob", false, OWN)).contains("yarn.acl.enable");
  }
}
