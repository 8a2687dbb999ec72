// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageRankTest {
  private static final int VERTICES = 60;
  private static final int ITERATIONS = 5;

  @TempDir Path folder;
  private LocalRun local;

  /** Edge counts, from row to column. Vertices 50 to 59 have no line and are only pointed to. */
  private double[][] edges;

  @BeforeEach
  void writeGraph() throws IOException {
    local = new LocalRun(folder);
    edges = new double[VERTICES][VERTICES];
    SplittableRandom random = new SplittableRandom(7);
    StringBuilder text = new StringBuilder();
    for (int from = 0; from < 50; from++) {
      text.append(from).append('\t');
      int degree = from % 11 == 3 ? 0 : 1 + random.nextInt(9);
      for (int i = 0; i < degree; i++) {
        int to = random.nextInt(VERTICES);
        edges[from][to]++;
        text.append(i == 0 ? "" : " ").append(to);
      }
      text.append('\n');
    }
    for (int orphan = 50; orphan < VERTICES; orphan++) {
      edges[0][orphan]++;
    }
    text.append("0\t50 51 52 53 54 55 56 57 58 59\n");
    local.write("graph/one.txt", text.toString());
  }

  private double[] oracle() {
    double[] rank = new double[VERTICES];
    java.util.Arrays.fill(rank, 1.0 / VERTICES);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
      double[] next = new double[VERTICES];
      for (int from = 0; from < VERTICES; from++) {
        double degree = java.util.Arrays.stream(edges[from]).sum();
        for (int to = 0; to < VERTICES; to++) {
          double part = degree == 0 ? 1.0 / VERTICES : edges[from][to] / degree;
          next[to] += rank[from] * part;
        }
      }
      for (int to = 0; to < VERTICES; to++) {
        rank[to] = 0.15 / VERTICES + 0.85 * next[to];
      }
    }
    return rank;
  }

  private Map<Integer, Double> ranks(String output) throws IOException {
    Map<Integer, Double> ranks = new HashMap<>();
    for (String line : local.output(output).split("\n")) {
      String[] fields = line.split("\t");
      ranks.put(Integer.parseInt(fields[0]), Double.parseDouble(fields[1]));
    }
    return ranks;
  }

  @Test
  void equalsDenseMatrix() throws Exception {
    int status = local.run(new PageRank(), local.path("graph"), local.path("out"), ITERATIONS, 3);
    assertThat(status).isZero();
    assertThat(local.parts("out")).hasSize(3);
    Map<Integer, Double> ranks = ranks("out");
    double[] expected = oracle();
    assertThat(ranks).hasSize(VERTICES);
    for (int vertex = 0; vertex < VERTICES; vertex++) {
      assertThat(ranks.get(vertex))
          .as("vertex %s", vertex)
          .isCloseTo(expected[vertex], within(1e-10));
    }
    double sum = ranks.values().stream().mapToDouble(Double::doubleValue).sum();
    assertThat(sum).isCloseTo(1.0, within(1e-9));
    assertThat(local.path("out_iterations")).doesNotExist();
  }

  @Test
  void sameBytesWhateverTheSplits() throws Exception {
    local.run(new PageRank(), local.path("graph"), local.path("whole"), ITERATIONS, 2);
    Configuration conf = local.conf();
    conf.setLong("mapreduce.input.fileinputformat.split.maxsize", 100);
    local.run(new PageRank(), conf, local.path("graph"), local.path("cut"), ITERATIONS, 2);
    assertThat(local.output("cut")).isEqualTo(local.output("whole"));
  }

  @Test
  void refusesExistingOutputAndBadLines() throws Exception {
    Files.createDirectories(local.path("there"));
    assertThatThrownBy(() -> local.run(new PageRank(), local.path("graph"), local.path("there"), 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("there exists");
    local.write("bad/one.txt", "1\t2 x\n");
    assertThat(local.run(new PageRank(), local.path("bad"), local.path("none"), 1)).isEqualTo(1);
    assertThat(local.path("none")).doesNotExist();
  }
}
