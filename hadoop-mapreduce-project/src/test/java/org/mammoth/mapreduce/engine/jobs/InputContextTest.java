// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;

class InputContextTest {

  private static String of(String... inputs) {
    JobConf conf = new JobConf(false);
    conf.set("fs.defaultFS", "file:///");
    for (String input : inputs) {
      FileInputFormat.addInputPath(conf, new Path(input));
    }
    return InputContext.of("mr_attempt_1_2_m_3_4", conf).getContext();
  }

  @Test
  void namesTheInputPaths() {
    assertThat(of("hdfs://nn:9000/logs/2026", "hdfs://nn/users"))
        .isEqualTo("mr_attempt_1_2_m_3_4,mpcacheInput:/logs/2026;/users");
  }

  @Test
  void namesNothingThatIsNoPathOfHdfs() {
    assertThat(of()).isEqualTo("mr_attempt_1_2_m_3_4");
    assertThat(of("file:///logs", "s3a://bucket/logs")).isEqualTo("mr_attempt_1_2_m_3_4");
  }

  @Test
  void leavesOutPatternsAndWhatTheContextWouldNotSurvive() {
    assertThat(of("hdfs://nn/logs/*", "hdfs://nn/a,b", "hdfs://nn/a;b", "hdfs://nn/a b"))
        .isEqualTo("mr_attempt_1_2_m_3_4");
    assertThat(of("hdfs://nn/logs/{1,2}", "hdfs://nn/plain"))
        .isEqualTo("mr_attempt_1_2_m_3_4,mpcacheInput:/plain");
  }

  @Test
  void namesNoneRatherThanSomeOfVeryMany() {
    String[] inputs = new String[200];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = "hdfs://nn/logs/" + i;
    }
    assertThat(of(inputs)).isEqualTo("mr_attempt_1_2_m_3_4");
  }
}
