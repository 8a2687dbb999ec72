// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RandomTextTest {
  @TempDir Path folder;
  private LocalRun local;

  @BeforeEach
  void makeRunner() {
    local = new LocalRun(folder);
  }

  @Test
  void sameSeedSameTextWhateverTheMaps() throws Exception {
    local.run(new RandomText(), local.path("a"), "5m", 1, 3);
    local.run(new RandomText(), local.path("b"), "5m", 3, 3);
    local.run(new RandomText(), local.path("c"), "5m", 1, 4);
    assertThat(local.parts("b")).hasSize(3);
    assertThat(local.output("b")).isEqualTo(local.output("a"));
    assertThat(local.output("c")).isNotEqualTo(local.output("a"));
  }

  @Test
  void meetsSize() throws Exception {
    for (String size : new String[] {"20k", "1m", "3500k"}) {
      assertThat(local.run(new RandomText(), local.path(size), size)).isZero();
      assertThat(local.output(size).length())
          .as(size)
          .isCloseTo((int) Arguments.size(size), Percentage.withPercentage(2));
    }
  }

  @Test
  void wordsAreZipfDistributed() throws Exception {
    local.run(new RandomText(), local.path("text"), "4m");
    String[] words = local.output("text").split("\\s+");
    Map<String, Long> counts =
        Arrays.stream(words)
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    Vocabulary vocabulary = new Vocabulary(Vocabulary.DEFAULT_SIZE);
    double harmonic = IntStream.rangeClosed(1, vocabulary.size()).mapToDouble(r -> 1.0 / r).sum();
    for (int rank : new int[] {1, 2, 10, 50}) {
      long seen = counts.get(new String(vocabulary.word(rank - 1)));
      double expected = words.length / harmonic / rank;
      assertThat((double) seen)
          .as("rank %s", rank)
          .isCloseTo(expected, within(5 * Math.sqrt(expected)));
    }
    assertThat(counts.size()).isGreaterThan(15_000);
    assertThat(local.output("text").length() / (double) words.length).isBetween(8.0, 12.0);
  }

  @Test
  void vocabularyHasDistinctPlainWords() {
    Vocabulary vocabulary = new Vocabulary(Vocabulary.DEFAULT_SIZE);
    assertThat(IntStream.range(0, vocabulary.size()).mapToObj(r -> new String(vocabulary.word(r))))
        .hasSize(20_000)
        .doesNotHaveDuplicates()
        .allMatch(word -> word.matches("[a-z]{4,15}"));
  }
}
