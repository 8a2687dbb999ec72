// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.UserCode;

/** What user code reads of a text is what Hadoop would decode, of bytes that are no UTF-8 too. */
class TextDecodingTest {

  /** Leading and following bytes of sequences of all lengths, and what is never one of them. */
  private static final byte[] TELLING = {
    0,
    'a',
    0x7f,
    (byte) 0x80,
    (byte) 0xbf,
    (byte) 0xc0,
    (byte) 0xc2,
    (byte) 0xdf,
    (byte) 0xe0,
    (byte) 0xa0,
    (byte) 0xed,
    (byte) 0x9f,
    (byte) 0xef,
    (byte) 0xf0,
    (byte) 0x90,
    (byte) 0xf4,
    (byte) 0x8f,
    (byte) 0xf5,
    (byte) 0xfe,
    (byte) 0xff
  };

  @TempDir Path folder;

  @Provide
  Arbitrary<byte[]> bytes() {
    Arbitrary<Byte> telling = Arbitraries.of(0, 1, 2).flatMap(k -> k == 0 ? any() : told());
    return telling.array(byte[].class).ofMaxSize(40);
  }

  private static Arbitrary<Byte> any() {
    return Arbitraries.bytes();
  }

  private static Arbitrary<Byte> told() {
    return Arbitraries.integers().between(0, TELLING.length - 1).map(i -> TELLING[i]);
  }

  @Property(tries = 20_000)
  void anyBytesDecodeAsHadoopsDecoderDoes(@ForAll("bytes") byte[] bytes) {
    Text text = new Text();
    // Its array is longer than what it holds.
    text.set(Arrays.copyOf(bytes, bytes.length + 5), 0, bytes.length + 5);
    text.set(bytes, 0, bytes.length);
    assertThat(HadoopCalls.toString(text)).isEqualTo(text.toString());
  }

  @Property
  void anyStringComesBack(@ForAll String string) {
    Text text = new Text(string);
    assertThat(HadoopCalls.toString(text)).isEqualTo(text.toString());
  }

  @Test
  void subclassesKeepTheirWords() throws Exception {
    String text = "org.apache.hadoop.io.Text";
    Path classes =
        UserCode.compile(
            folder,
            "public class Loud extends org.apache.hadoop.io.Text {\n"
                + "  public Loud(String s) { super(s); }\n"
                + "  @Override public String toString() { return super.toString() + '!'; }\n}",
            "public class Still extends org.apache.hadoop.io.Text {\n"
                + "  public Still(String s) { super(s); }\n}",
            UserCode.function(
                "Words",
                text
                    + " plain = new "
                    + text
                    + "(in); "
                    + text
                    + " loud = new Loud(in), still = new Still(in);\n"
                    + "Function<"
                    + text
                    + ", String> f = "
                    + text
                    + "::toString;\n"
                    + "return plain.toString() + ' ' + loud.toString() + ' ' + still.toString()"
                    + " + ' ' + f.apply(loud) + ' ' + ((Object) loud).toString();"));
    try (Task task = new Task(folder, "words", classes)) {
      assertThat(task.call("Words", "grün")).isEqualTo("grün grün! grün grün! grün!");
    }
  }
}
