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
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.Test;

/** Upstream's texts beside those that are rewritten. */
class FastTextTest {

  private static final RewritingLoader LOADER =
      new RewritingLoader(Text.class.getName(), FastText::rewrite);

  private static final BiFunction<String, byte[], List<String>> UPSTREAMS = new Texts();
  private static final BiFunction<String, byte[], List<String>> REWRITTEN = rewritten();

  /** Below each of these, characters take the same number of bytes; the last are surrogates. */
  private static final int[] LIMITS = {0x80, 0x80, 0x800, 0xD800, 0xE000};

  @SuppressWarnings("unchecked")
  private static BiFunction<String, byte[], List<String>> rewritten() {
    return (BiFunction<String, byte[], List<String>>) LOADER.make(Texts.class);
  }

  @Property(tries = 3000)
  void stringsAndBytesAreUpstreams(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 200) int length,
      @ForAll @IntRange(min = 0, max = 4) int kinds,
      @ForAll @IntRange(min = 1, max = 50) int every) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      int kind = random.nextInt(every) == 0 ? kinds : 0;
      int from = kind < 2 ? 0 : LIMITS[kind - 1];
      text.append((char) random.nextInt(from, LIMITS[kind]));
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    if (bytes.length > 0 && random.nextInt(4) == 0) {
      // mostly no UTF-8 any more
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    assertThat(REWRITTEN.apply(text.toString(), bytes))
        .isEqualTo(UPSTREAMS.apply(text.toString(), bytes));
  }

  @Property(tries = 2000)
  void bytesOfAnyKindAreUpstreams(@ForAll String text, @ForAll byte[] bytes) {
    assertThat(REWRITTEN.apply(text, bytes)).isEqualTo(UPSTREAMS.apply(text, bytes));
  }

  @Test
  void textIsOneThatIsKnown() throws IOException {
    byte[] original = RewritingLoader.code(Text.class.getName());
    assertThat(new String(original, StandardCharsets.ISO_8859_1)).doesNotContain("FastText");
    assertThat(FastText.rewrite(original))
        .hasValueSatisfying(
            code ->
                assertThat(new String(code, StandardCharsets.ISO_8859_1))
                    .contains("org/mammoth/engine/upstream/FastText"));
  }

  @Test
  void aTextThatIsMadeOtherwiseIsLeftAlone() throws IOException {
    assertThat(FastText.rewrite(RewritingLoader.code(Texts.class.getName()))).isEmpty();
  }
}
