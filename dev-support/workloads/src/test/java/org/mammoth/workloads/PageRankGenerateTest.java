// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageRankGenerateTest {
  @TempDir Path folder;
  private LocalRun local;

  @BeforeEach
  void makeRunner() {
    local = new LocalRun(folder);
  }

  @Test
  void sameSeedSameGraph() throws Exception {
    local.run(new PageRankGenerate(), local.path("a"), 3000, 5);
    local.run(new PageRankGenerate(), local.path("b"), 3000, 5);
    local.run(new PageRankGenerate(), local.path("c"), 3000, 6);
    String graph = local.output("a");
    assertThat(graph.lines()).hasSize(3000);
    assertThat(local.output("b")).isEqualTo(graph);
    assertThat(local.output("c")).isNotEqualTo(graph);
  }

  @Test
  void meetsSizeInBytes() throws Exception {
    for (String size : new String[] {"300k", "5m", "40m"}) {
      assertThat(local.run(new PageRankGenerate(), local.path(size), size)).isZero();
      assertThat(local.output(size).length())
          .as(size)
          .isCloseTo((int) Arguments.size(size), Percentage.withPercentage(2));
    }
  }

  @Test
  void degreesFollowPowerLaws() {
    int vertices = 50_000;
    PowerLawGraph graph = new PowerLawGraph(vertices, 1);
    long[] out = new long[vertices];
    long[] in = new long[vertices];
    for (int vertex = 0; vertex < vertices; vertex++) {
      String[] fields = graph.line(vertex).toString().split("[\t ]");
      out[vertex] = fields.length - 1;
      Arrays.stream(fields).skip(1).forEach(target -> in[Integer.parseInt(target)]++);
    }
    double dangling = (double) Arrays.stream(out).filter(degree -> degree == 0).count() / vertices;
    assertThat(dangling).isCloseTo(0.02, within(0.004));
    // Pareto: each doubling of the degree leaves 2^-1.3 of the vertices.
    double above8 = Arrays.stream(out).filter(degree -> degree >= 8).count();
    double above32 = Arrays.stream(out).filter(degree -> degree >= 32).count();
    assertThat(above32 / above8).isCloseTo(Math.pow(4, -1.3), within(0.02));
    assertThat(Arrays.stream(out).max().orElseThrow()).isBetween(500L, 1000L);
    // Density x^(-2/3): the first tenth of the vertices draws 0.1^(1/3) of the edges.
    double first = Arrays.stream(in, 0, vertices / 10).sum();
    assertThat(first / Arrays.stream(in).sum()).isCloseTo(Math.cbrt(0.1), within(0.02));
  }

  @Test
  void linesDoNotDependOnTheNumberOfMaps() throws Exception {
    Configuration conf = local.conf();
    local.run(new PageRankGenerate(), conf, local.path("one"), 500, 9);
    PowerLawGraph graph = new PowerLawGraph(500, 9);
    StringBuilder expected = new StringBuilder();
    for (int vertex = 499; vertex >= 0; vertex--) {
      expected.insert(0, graph.line(vertex) + "\n");
    }
    assertThat(local.output("one")).isEqualTo(expected.toString());
  }
}
