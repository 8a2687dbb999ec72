// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.eclipse.jetty.client.HttpClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.console.model.JobSample;

/** What an ApplicationMaster names as its own, and is not. */
class JobIdsTest {

  private static JobSample job(String id) {
    return new JobSample(
        id,
        id.replace("job", "application"),
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
  }

  private final JobSample own = job("job_1700000000000_0042");

  @Test
  void itsOwnAreItsOwn() {
    assertThat(JobIds.isTask(own, "task_1700000000000_0042_m_000003")).isTrue();
    assertThat(JobIds.isTask(own, "task_1700000000000_0042_r_1000000")).isTrue();
    assertThat(JobIds.isContainer(own, "container_1700000000000_0042_01_000007")).isTrue();
    assertThat(JobIds.isContainer(own, "container_e17_1700000000000_0042_02_000001")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "container_1700000000000_0041_01_000007",
        "container_e17_1700000000000_00421_01_000007",
        "container_1700000000000_0042_01",
        "container_1700000000000_0042_01_000007/../../x",
        "container_e_1700000000000_0042_01_000007",
        "task_1700000000000_0041_m_000003",
        "task_1700000000000_0042_m_000003/../../../../../../logLevel?log=x&level=OFF",
        "task_1700000000000_0042_x_000003",
        "x/../../..",
        ""
      })
  void anothersAreNot(String name) {
    assertThat(JobIds.isTask(own, name)).isFalse();
    assertThat(JobIds.isContainer(own, name)).isFalse();
  }

  @Test
  void aJobWithoutANameHasNothing() {
    assertThat(JobIds.isTask(job("job_.*"), "task_.*_m_1")).isFalse();
  }

  @Test
  void aTaskThatIsNotItsIsNotAskedFor() {
    ClusterHttp http = new ClusterHttp(new HttpClient(), "");
    JobReader reader =
        new JobReader(
            http,
            Addresses.of(new org.apache.hadoop.conf.Configuration(false)),
            () -> "http://rm:1",
            1000);
    assertThatThrownBy(() -> reader.attempts(own, "x/../../../logLevel").get())
        .hasMessageContaining("the job names a task that is not its");
  }
}
