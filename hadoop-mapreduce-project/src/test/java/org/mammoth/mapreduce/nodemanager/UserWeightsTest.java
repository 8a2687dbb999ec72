// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobPriority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.MemoryKeys;
import org.mammoth.engine.config.SortKeys;
import org.mammoth.mapreduce.buffers.JobWeight;

/** Whose memory weighs what, by users and queues. */
class UserWeightsTest {

  @TempDir Path folder;

  private final Configuration conf = new Configuration(false);

  private String jobOf(String queue) throws IOException {
    Configuration job = new Configuration(false);
    job.set("mapreduce.job.queuename", queue);
    job.set(MemoryKeys.QUEUE_WEIGHTS.name(), queue + "=9999");
    Path file = folder.resolve(queue + ".xml");
    try (OutputStream out = Files.newOutputStream(file)) {
      job.writeXml(out);
    }
    return file.toString();
  }

  @Test
  void aUserWeighsByNameAndByTheBestQueueOfTheTasksThatRun() throws Exception {
    conf.set(MemoryKeys.USER_WEIGHTS.name(), " etl = 300 ,ann=50,");
    conf.set(MemoryKeys.QUEUE_WEIGHTS.name(), "production=400,root.trial=25");
    UserWeights weights = new UserWeights(conf);
    assertThat(weights.of("etl")).isEqualTo(300);
    assertThat(weights.of("ann")).isEqualTo(50);
    assertThat(weights.of("bob")).isEqualTo(100);
    // What a job's own file says of queues is not asked.
    weights.started("c1", "ann", jobOf("production"));
    weights.started("c2", "ann", jobOf("root.trial"));
    assertThat(weights.of("ann")).isEqualTo(200);
    assertThat(weights.of("bob")).isEqualTo(100);
    weights.ended("c1");
    assertThat(weights.of("ann")).isEqualTo(12.5);
    weights.ended("c2");
    weights.ended("never started");
    assertThat(weights.of("ann")).isEqualTo(50);
  }

  @Test
  void aJobFileThatCannotBeReadCountsAsUsual() {
    conf.set(MemoryKeys.QUEUE_WEIGHTS.name(), "production=400");
    UserWeights weights = new UserWeights(conf);
    weights.started("c1", "ann", folder.resolve("gone.xml").toString());
    assertThat(weights.of("ann")).isEqualTo(100);
  }

  @Test
  void whatIsNoWeightIsNamed() {
    for (String entry :
        new String[] {"ann", "ann=", "=5", "ann=0", "ann=-1", "ann=NaN", "ann=1e9"}) {
      conf.set(MemoryKeys.USER_WEIGHTS.name(), "bob=7," + entry);
      assertThatThrownBy(() -> new UserWeights(conf))
          .as(entry)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(MemoryKeys.USER_WEIGHTS.name())
          .hasMessageContaining("'" + entry + "'");
    }
  }

  @Test
  void aJobsWeightIsByItsQueueAndPriority() {
    JobConf job = new JobConf(false);
    assertThat(JobWeight.of(job)).isEqualTo(100);
    job.set(SortKeys.JOB_WEIGHT.name(), "60");
    job.setJobPriority(JobPriority.HIGH);
    assertThat(JobWeight.of(job)).isEqualTo(120);
    job.setQueueName("production");
    job.set(MemoryKeys.QUEUE_WEIGHTS.name(), "production=400");
    assertThat(JobWeight.of(job)).isEqualTo(480);
  }
}
