// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.simulation;

/**
 * The 13 benchmarks of the mpCache paper (Wang et al. 2016, §4.2): numbers of Tables 1 and 2, and
 * by how much the reduce phase gains when all its localized data is on SSD (§4.3.1, per class of
 * shuffle).
 */
enum Benchmark {
  GREP("wikipedia", 4.3, 688, 6.9e-6, 222, 2, Shuffle.LIGHT),
  HISTOGRAM_RATINGS("netflix", 3.0, 480, 6.3e-5, 241, 5, Shuffle.LIGHT),
  HISTOGRAM_MOVIES("netflix", 3.0, 480, 6.8e-5, 261, 5, Shuffle.LIGHT),
  CLASSIFICATION("netflix", 3.0, 480, 7.9e-3, 286, 5, Shuffle.LIGHT),
  WORD_COUNT("wikipedia", 4.3, 688, 0.318, 743, 22, Shuffle.MEDIUM),
  INVERTED_INDEX("wikipedia", 4.3, 688, 0.363, 901, 6, Shuffle.MEDIUM),
  TERM_VECTOR("wikipedia", 4.3, 688, 0.384, 1114, 81, Shuffle.MEDIUM),
  SEQUENCE_COUNT("wikipedia", 4.3, 688, 0.737, 1135, 27, Shuffle.MEDIUM),
  K_MEANS("netflix", 3.0, 480, 26.28, 450, 2660, Shuffle.HEAVY),
  SELF_JOIN("puma-1", 3.0, 480, 26.89, 286, 220, Shuffle.HEAVY),
  ADJACENCY_LIST("puma-2", 3.0, 480, 29.38, 1168, 1321, Shuffle.HEAVY),
  RANKED_INVERTED_INDEX("puma-3", 4.2, 672, 42.45, 391, 857, Shuffle.HEAVY),
  TERA_SORT("puma-4", 3.0, 480, 31.96, 307, 481, Shuffle.HEAVY);

  /** How much of its input a benchmark shuffles. */
  enum Shuffle {
    LIGHT(1),
    MEDIUM(1.60),
    HEAVY(3.87);

    /** Speed-up of the reduce phase with all localized data on SSD. */
    final double reduceSpeedup;

    Shuffle(double reduceSpeedup) {
      this.reduceSpeedup = reduceSpeedup;
    }
  }

  /** The size coefficient Table 2 was measured with. */
  static final int TABLE_K = 10;

  final String source;
  final double unitGiB;
  final int tableMaps;
  final double tableShuffleGiB;
  final double tableMapSeconds;
  final double tableReduceSeconds;
  final Shuffle shuffle;

  Benchmark(
      String source,
      double unitGiB,
      int tableMaps,
      double tableShuffleGiB,
      double tableMapSeconds,
      double tableReduceSeconds,
      Shuffle shuffle) {
    this.source = source;
    this.unitGiB = unitGiB;
    this.tableMaps = tableMaps;
    this.tableShuffleGiB = tableShuffleGiB;
    this.tableMapSeconds = tableMapSeconds;
    this.tableReduceSeconds = tableReduceSeconds;
    this.shuffle = shuffle;
  }

  /** Blocks of 64 MiB, one per map task, at a size coefficient. */
  int blocks(int k) {
    return Math.toIntExact(Math.round((double) tableMaps * k / TABLE_K));
  }

  /** Localized data at a size coefficient, in bytes. */
  long localizedBytes(int k) {
    return Math.round(tableShuffleGiB * (1L << 30) * k / TABLE_K);
  }

  String dataSet(int k) {
    return "/data/" + source + "/x" + k;
  }
}
