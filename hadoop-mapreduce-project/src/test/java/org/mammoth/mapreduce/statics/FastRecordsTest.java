// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mammoth.engine.upstream.FastRecords;

/** This Hadoop's classes are made as {@link FastRecords} knows them. */
class FastRecordsTest {

  private static final String OURS = "org/mammoth/engine/upstream/";

  private final FastRecords records = new FastRecords();

  static Iterable<String> classes() {
    return new FastRecords().classes();
  }

  @ParameterizedTest
  @MethodSource("classes")
  void callsOursInPlaceOfItsOwn(String name) throws IOException {
    byte[] original;
    try (InputStream in = JobConf.class.getClassLoader().getResourceAsStream(name + ".class")) {
      original = in.readAllBytes();
    }
    assertThat(text(original)).doesNotContain(OURS);
    assertThat(records.rewrite(name, original))
        .map(FastRecordsTest::text)
        .get()
        .asString()
        .contains(OURS);
  }

  private static String text(byte[] code) {
    return new String(code, StandardCharsets.ISO_8859_1);
  }
}
