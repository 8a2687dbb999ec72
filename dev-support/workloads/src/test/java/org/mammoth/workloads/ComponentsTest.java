// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComponentsTest {
  private static final int VERTICES = 90;

  @TempDir Path folder;

  /** Least vertex of the component, by joining edge after edge. */
  private final int[] least = new int[VERTICES];

  private String graph() {
    SplittableRandom random = new SplittableRandom(3);
    StringBuilder text = new StringBuilder();
    for (int vertex = 0; vertex < VERTICES; vertex++) {
      least[vertex] = vertex;
    }
    for (int vertex = 0; vertex < VERTICES; vertex++) {
      text.append(vertex).append('\t');
      if (vertex % 3 > 0) {
        // Only within one of five groups; parallel edges and loops among them.
        int target = vertex % 5 + 5 * random.nextInt(VERTICES / 5);
        text.append(target).append(' ').append(target);
        join(vertex, target);
      }
      text.append('\n');
    }
    return text.toString();
  }

  private void join(int a, int b) {
    int from = Math.max(least[a], least[b]);
    int to = Math.min(least[a], least[b]);
    for (int vertex = 0; vertex < VERTICES; vertex++) {
      least[vertex] = least[vertex] == from ? to : least[vertex];
    }
  }

  @Test
  void labelsAreTheLeastVerticesOfComponents() throws Exception {
    LocalRun local = new LocalRun(folder);
    local.write("graph/one.txt", graph());
    assertThat(local.run(new Components(), local.path("graph"), local.path("out"), 60, 2)).isZero();
    Map<Integer, Integer> labels = new TreeMap<>();
    for (String line : local.output("out").split("\n")) {
      String[] fields = line.split("\t");
      labels.put(Integer.parseInt(fields[0]), Integer.parseInt(fields[1]));
    }
    assertThat(labels).hasSize(VERTICES);
    for (int vertex = 0; vertex < VERTICES; vertex++) {
      assertThat(labels).as("vertex %s", vertex).containsEntry(vertex, least[vertex]);
    }
  }
}
