package org.mammoth.mapreduce.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mammoth.engine.upstream.StatisticsSums;

class RecordTrackersTest {

  static Iterable<String> classes() {
    return RecordTrackers.CLASSES;
  }

  @ParameterizedTest
  @MethodSource("classes")
  void asksForSumsThatAreReplaced(String name) throws IOException {
    byte[] original = RecordTrackers.upstream(name).code();
    assertThat(text(original)).doesNotContain("StatisticsSums");
    assertThat(text(StatisticsSums.rewrite(original)))
        .contains("org/mammoth/engine/upstream/StatisticsSums");
  }

  private static String text(byte[] code) {
    return new String(code, StandardCharsets.ISO_8859_1);
  }
}
