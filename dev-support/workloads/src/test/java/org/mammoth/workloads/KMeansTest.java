// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KMeansTest {
  private static final int CENTRES = 4;
  private static final int ITERATIONS = 3;

  @TempDir Path folder;

  private static long[] point(String line) {
    return Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
  }

  private static int nearest(long[][] centres, long[] point) {
    int nearest = 0;
    double least = Double.MAX_VALUE;
    for (int c = 0; c < centres.length; c++) {
      double distance = 0;
      for (int i = 0; i < point.length; i++) {
        distance += Math.pow(point[i] - centres[c][i], 2);
      }
      if (distance < least) {
        least = distance;
        nearest = c;
      }
    }
    return nearest;
  }

  private static Map<Integer, String> oracle(List<long[]> points) {
    long[][] centres = points.subList(0, CENTRES).toArray(new long[0][]);
    Map<Integer, String> told = new TreeMap<>();
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
      long[][] sums = new long[CENTRES][points.get(0).length];
      long[] counts = new long[CENTRES];
      for (long[] point : points) {
        int centre = nearest(centres, point);
        counts[centre]++;
        Arrays.setAll(sums[centre], i -> sums[centre][i] + point[i]);
      }
      told.clear();
      for (int c = 0; c < CENTRES; c++) {
        if (counts[c] > 0) {
          long count = counts[c];
          centres[c] = Arrays.stream(sums[c]).map(sum -> Math.floorDiv(sum, count)).toArray();
          StringBuilder text = new StringBuilder().append(count);
          Arrays.stream(centres[c]).forEach(coordinate -> text.append(' ').append(coordinate));
          told.put(c, text.toString());
        }
      }
    }
    return told;
  }

  @Test
  void centresAreThoseOfAPlainLoop() throws Exception {
    LocalRun local = new LocalRun(folder);
    assertThat(local.run(new KMeansGenerate(), local.path("points"), "40k", 7)).isZero();
    List<long[]> points = new ArrayList<>();
    for (String line : local.output("points").split("\n")) {
      points.add(point(line));
    }
    assertThat(points).hasSizeGreaterThan(500);
    assertThat(
            local.run(new KMeans(), local.path("points"), local.path("out"), CENTRES, ITERATIONS))
        .isZero();
    Map<Integer, String> centres = new TreeMap<>();
    for (String line : local.output("out").split("\n")) {
      String[] fields = line.split("\t");
      centres.put(Integer.parseInt(fields[0]), fields[1]);
    }
    assertThat(centres).isEqualTo(oracle(points));
  }
}
