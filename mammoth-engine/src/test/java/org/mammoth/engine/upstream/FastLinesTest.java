// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.util.LineReader;
import org.junit.jupiter.api.Test;

/** Upstream's reader of lines beside the one that is rewritten. */
class FastLinesTest {

  private static final RewritingLoader LOADER =
      new RewritingLoader(LineReader.class.getName(), FastLines::rewrite);

  private static final BiFunction<byte[], int[], List<String>> UPSTREAMS = new Lines();
  private static final BiFunction<byte[], int[], List<String>> REWRITTEN = rewritten();

  @SuppressWarnings("unchecked")
  private static BiFunction<byte[], int[], List<String>> rewritten() {
    return (BiFunction<byte[], int[], List<String>>) LOADER.make(Lines.class);
  }

  @Property(tries = 2000)
  void linesAreUpstreams(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 300) int length,
      @ForAll @IntRange(min = 1, max = 60) int every,
      @ForAll @IntRange(min = 1, max = 200) int buffer,
      @ForAll @IntRange(min = 0, max = 100) int longest,
      @ForAll @IntRange(min = 0, max = 100) int enough) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] text = new byte[length];
    for (int i = 0; i < length; i++) {
      int drawn = random.nextInt(2 * every);
      // bytes with the high bit, too: they must not be taken for an end
      text[i] = drawn == 0 ? LineEnds.LF : drawn == 1 ? LineEnds.CR : (byte) random.nextInt(256);
    }
    int[] sizes = {buffer, longest, enough};
    assertThat(REWRITTEN.apply(text, sizes)).isEqualTo(UPSTREAMS.apply(text, sizes));
  }

  @Property(tries = 2000)
  void theFirstEndIsFound(
      @ForAll byte[] bytes, @ForAll @IntRange(max = 20) int from, @ForAll boolean full) {
    int to = full ? bytes.length : bytes.length / 2;
    int first = Math.min(from, to);
    int expected = first;
    while (expected < to && bytes[expected] != LineEnds.LF && bytes[expected] != LineEnds.CR) {
      expected++;
    }
    assertThat(LineEnds.find(bytes, first, to)).isEqualTo(expected);
  }

  @Test
  void theReaderIsOneThatIsKnown() throws IOException {
    byte[] original = RewritingLoader.code(LineReader.class.getName());
    assertThat(new String(original, StandardCharsets.ISO_8859_1)).doesNotContain("FastLines");
    assertThat(FastLines.rewrite(original))
        .hasValueSatisfying(
            code ->
                assertThat(new String(code, StandardCharsets.ISO_8859_1))
                    .contains("org/mammoth/engine/upstream/FastLines"));
  }

  @Test
  void aReaderThatIsMadeOtherwiseIsLeftAlone() throws IOException {
    assertThat(FastLines.rewrite(RewritingLoader.code(Lines.class.getName()))).isEmpty();
  }
}
