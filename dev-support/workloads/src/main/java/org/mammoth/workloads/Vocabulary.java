// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Made-up words with Zipf's distribution: the word of rank r is drawn with a probability in
 * proportion to 1 / r. Words are built of syllables, 4 to 15 letters long, about nine on average;
 * length does not depend on rank. The same words for everybody; what differs is who draws them.
 *
 * <p>Immutable once made; safe for use by several threads.
 */
final class Vocabulary {
  static final int DEFAULT_SIZE = 20_000;

  private static final String[] ONSETS = {
    "b", "br", "c", "d", "dr", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v"
  };
  private static final String[] NUCLEI = {"a", "e", "i", "o", "u", "ai", "ea", "ou"};
  private static final String[] CODAS = {"", "", "n", "r", "s", "l"};
  private static final int LONGEST = 15;
  private static final long WORDS_SEED = 20_000;

  private final byte[][] words;
  private final double[] cumulative;

  Vocabulary(int size) {
    words = makeWords(size);
    cumulative = new double[size];
    double sum = 0;
    for (int rank = 0; rank < size; rank++) {
      sum += 1.0 / (rank + 1);
      cumulative[rank] = sum;
    }
  }

  private static byte[][] makeWords(int size) {
    SplittableRandom random = new SplittableRandom(WORDS_SEED);
    Set<String> made = new LinkedHashSet<>(size * 2);
    while (made.size() < size) {
      StringBuilder word = new StringBuilder();
      int syllables = 2 + random.nextInt(4);
      for (int i = 0; i < syllables; i++) {
        word.append(ONSETS[random.nextInt(ONSETS.length)]);
        word.append(NUCLEI[random.nextInt(NUCLEI.length)]);
        word.append(CODAS[random.nextInt(CODAS.length)]);
      }
      if (word.length() <= LONGEST) {
        made.add(word.toString());
      }
    }
    return made.stream()
        .map(word -> word.getBytes(StandardCharsets.US_ASCII))
        .toArray(byte[][]::new);
  }

  int size() {
    return words.length;
  }

  /** The word of a rank, 0 being the most frequent. Not to be written to. */
  byte[] word(int rank) {
    return words[rank];
  }

  /** Draws a rank. */
  int draw(SplittableRandom random) {
    double point = random.nextDouble() * cumulative[cumulative.length - 1];
    int low = 0;
    int high = cumulative.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (cumulative[middle] > point) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
