// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.util.SplittableRandom;

/**
 * A random directed graph in which both degrees follow power laws, each vertex's edges being
 * derived from the seed and the vertex's number alone. Out-degrees are Pareto with exponent 2.3
 * from 4 up, cut off at 1,000 (about 14 on average); one vertex in fifty points nowhere. Targets
 * favour low numbers, with density in proportion to x^(-2/3). Parallel edges and loops happen.
 *
 * <p>Not for use by several threads: it keeps a line buffer.
 */
final class PowerLawGraph {
  static final int MOST_EDGES = 1_000;
  private static final int FEWEST_EDGES = 4;
  private static final double EXPONENT = 2.3;
  private static final double DANGLING = 0.02;
  private static final int SAMPLE = 200_000;

  private final long vertices;
  private final long seed;
  private final StringBuilder line = new StringBuilder();

  PowerLawGraph(long vertices, long seed) {
    this.vertices = vertices;
    this.seed = seed;
  }

  /** {@code vertex TAB target target ...} without the line end. */
  CharSequence line(long vertex) {
    SplittableRandom random = new SplittableRandom(Seeds.of(seed, vertex));
    line.setLength(0);
    line.append(vertex).append('\t');
    int degree = degree(random);
    for (int i = 0; i < degree; i++) {
      if (i > 0) {
        line.append(' ');
      }
      double point = random.nextDouble();
      line.append((long) (vertices * (point * point * point)));
    }
    return line;
  }

  private static int degree(SplittableRandom random) {
    if (random.nextDouble() < DANGLING) {
      return 0;
    }
    double pareto = FEWEST_EDGES * Math.pow(1 - random.nextDouble(), -1 / (EXPONENT - 1));
    return (int) Math.min(MOST_EDGES, pareto);
  }

  /** Bytes of the whole graph as text, from a sample of its lines (all, when they are few). */
  long estimateBytes() {
    long step = Math.max(1, vertices / SAMPLE);
    long sampled = 0;
    long bytes = 0;
    for (long vertex = 0; vertex < vertices; vertex += step) {
      bytes += line(vertex).length() + 1;
      sampled++;
    }
    return Math.round((double) bytes * vertices / Math.max(1, sampled));
  }

  /**
   * The number of vertices whose text comes close to a size in bytes. Found by halving: size grows
   * with the number of vertices, but in steps of up to a thousand edges.
   */
  static long verticesFor(long bytes, long seed) {
    long low = 1;
    long high = Math.max(1, bytes / 2);
    while (low < high) {
      long middle = (low + high) >>> 1;
      long size = new PowerLawGraph(middle, seed).estimateBytes();
      if (Math.abs(size - bytes) < bytes / 1000) {
        return middle;
      }
      if (size < bytes) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
