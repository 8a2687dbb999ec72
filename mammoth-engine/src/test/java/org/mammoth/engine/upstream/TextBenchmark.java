// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What it costs to make texts of words and strings of lines, upstream's and rewritten. Run by name,
 * with {@code -Dtest=TextBenchmark}; prints nanoseconds of each.
 */
@Tag("benchmark")
class TextBenchmark {

  private static final int ROUNDS = 8;
  private static final int WORDS = 2_000_000;
  private static final int DISTINCT = 5_000;
  private static final int LINE_BYTES = 100;

  /** Makes texts of words; gives the sum of their lengths. */
  public static final class Coding implements ToLongFunction<String[]> {
    @Override
    public long applyAsLong(String[] words) {
      Text text = new Text();
      long sum = 0;
      for (String word : words) {
        text.set(word);
        sum += text.getLength();
      }
      return sum;
    }
  }

  /** Makes strings of lines; gives the sum of their lengths. */
  public static final class Decoding implements ToLongFunction<byte[][]> {
    @Override
    public long applyAsLong(byte[][] lines) {
      Text text = new Text();
      long sum = 0;
      for (byte[] line : lines) {
        text.set(line, 0, line.length);
        sum += text.toString().length();
      }
      return sum;
    }
  }

  private final RewritingLoader loader =
      new RewritingLoader(Text.class.getName(), FastText::rewrite);

  @Test
  @SuppressWarnings("unchecked")
  void words() {
    Random random = new Random(1);
    String[] words = new String[WORDS];
    for (int i = 0; i < WORDS; i++) {
      // few enough for the processor's caches: a job makes its words just before
      words[i] = i < DISTINCT ? random(random, 2 + random.nextInt(11)) : words[i % DISTINCT];
    }
    compare("word", words, WORDS, new Coding(), (ToLongFunction<String[]>) made(Coding.class));
  }

  @Test
  @SuppressWarnings("unchecked")
  void lines() {
    Random random = new Random(1);
    byte[][] lines = new byte[WORDS][];
    for (int i = 0; i < WORDS; i++) {
      lines[i] =
          i < DISTINCT
              ? random(random, LINE_BYTES).getBytes(StandardCharsets.US_ASCII)
              : lines[i % DISTINCT];
    }
    ToLongFunction<byte[][]> ours = (ToLongFunction<byte[][]>) made(Decoding.class);
    compare("line of 100 bytes", lines, WORDS, new Decoding(), ours);
  }

  private Object made(Class<?> like) {
    return loader.make(like);
  }

  private static String random(Random random, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  private static <T> void compare(
      String what, T input, int count, ToLongFunction<T> upstreams, ToLongFunction<T> ours) {
    for (int round = 0; round < ROUNDS; round++) {
      System.out.printf(
          "%s: upstream %.1f ns, rewritten %.1f ns%n",
          what, nanos(input, upstreams) / count, nanos(input, ours) / count);
    }
  }

  private static <T> double nanos(T input, ToLongFunction<T> work) {
    long start = System.nanoTime();
    if (work.applyAsLong(input) == 0) {
      throw new IllegalStateException("nothing was done");
    }
    return System.nanoTime() - start;
  }
}
