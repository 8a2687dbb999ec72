// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;

class WorkloadDriverTest {
  @Test
  void unknownProgramFails() throws Throwable {
    assertThat(WorkloadDriver.run(new String[] {"nothing"})).isEqualTo(-1);
    assertThat(WorkloadDriver.run(new String[0])).isEqualTo(-1);
  }

  @Test
  void everyProgramPrintsItsUsage() throws Exception {
    Tool[] tools = {
      new PageRank(),
      new PageRankGenerate(),
      new Components(),
      new KMeans(),
      new KMeansGenerate(),
      new WordCountNoCombiner(),
      new RandomText(),
      new SequenceCheck(),
      new Misbehave()
    };
    for (Tool tool : tools) {
      assertThat(ToolRunner.run(new Configuration(), tool, new String[0])).isEqualTo(2);
    }
  }

  @Test
  void sizesAndNumbersAreChecked() {
    assertThat(Arguments.size("200m")).isEqualTo(200L << 20);
    assertThat(Arguments.mapsFor(Arguments.size("2g"))).isEqualTo(16);
    assertThatThrownBy(() -> Arguments.size("much")).hasMessageContaining("'much' is no size");
    String[] args = {"x", "0"};
    assertThatThrownBy(() -> Arguments.number(args, 0, "maps", 1, 1)).hasMessageContaining("maps");
    assertThatThrownBy(() -> Arguments.number(args, 1, "maps", 1, 1))
        .hasMessageContaining("at least 1");
    assertThat(Arguments.number(args, 2, "maps", 5, 1)).isEqualTo(5);
  }

  @Test
  void rangesCoverEveryNumberOnce() throws IOException {
    org.apache.hadoop.mapreduce.Job job = org.apache.hadoop.mapreduce.Job.getInstance();
    RangeInputFormat.setRange(job, 10, 4);
    assertThat(new RangeInputFormat().getSplits(job).toString())
        .isEqualTo("[0..3, 3..6, 6..8, 8..10]");
    assertThatThrownBy(() -> RangeInputFormat.setRange(job, 10, 0))
        .hasMessageContaining("at least one map");
  }

  @Test
  void graphValueTravels() throws IOException {
    GraphValue sent = new GraphValue();
    GraphValue got = new GraphValue();
    PipedInputStream pipe = new PipedInputStream();
    try (DataOutputStream out = new DataOutputStream(new PipedOutputStream(pipe));
        DataInputStream in = new DataInputStream(pipe)) {
      sent.setVertex(3 * GraphValue.ONE, new long[] {7, 1L << 40, 0}, 2);
      sent.write(out);
      sent.setShare(-5);
      sent.write(out);
      out.flush();
      got.readFields(in);
      assertThat(got.isVertex()).isTrue();
      assertThat(got.rank()).isEqualTo(3 * GraphValue.ONE);
      assertThat(got.degree()).isEqualTo(2);
      assertThat(got.neighbour(1)).isEqualTo(1L << 40);
      got.readFields(in);
      assertThat(got.isVertex()).isFalse();
      assertThat(got.degree()).isZero();
      assertThat(got.rank()).isEqualTo(-5);
    }
  }
}
