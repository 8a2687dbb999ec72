// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class OutputLimitTest {

  @TempDir private Path folder;

  @Test
  void aFileThatAProcessWritesToForEverStaysShortAndKeepsItsEnd() throws Exception {
    Path file = folder.resolve("engine.out");
    // As an engine's output is opened.
    Process engine =
        new ProcessBuilder("sh", "-c", "while read line; do echo \"$line\"; done")
            .redirectOutput(ProcessBuilder.Redirect.appendTo(file.toFile()))
            .start();
    try {
      OutputLimit limit = new OutputLimit(file, 10_000, 1_000);
      for (int round = 0; round < 5; round++) {
        String last = print(engine, round, 300);
        awaitEnd(file, last);
        limit.look();
        assertThat(Files.size(file)).isBetween(1_000L, 10_000L);
        assertThat(Files.readString(file)).startsWith("... of ").endsWith(last);
      }
      awaitEnd(file, print(engine, 5, 3));
      long length = Files.size(file);
      limit.look();
      assertThat(Files.size(file)).as("of a short one").isEqualTo(length);
      assertThat(Files.readAllBytes(file)).as("no hole").doesNotContain(0);
    } finally {
      engine.destroyForcibly().waitFor();
    }
  }

  /** The last line: no other round ends with the same, or it would not be waited for. */
  private static String print(Process engine, int round, int lines) throws IOException {
    String padding = "x".repeat(60);
    String text = "";
    for (int line = 0; line < lines; line++) {
      text = padding + " round " + round + " line " + line + "\n";
      engine.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }
    engine.getOutputStream().flush();
    return text;
  }

  private static void awaitEnd(Path file, String end) throws Exception {
    while (!Files.readString(file).endsWith(end)) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  @Test
  void whatIsNoFileIsLeft() {
    new OutputLimit(Path.of("/dev/null"), 0, 1).look();
    new OutputLimit(folder.resolve("none"), 0, 1).look();
    assertThat(folder).isEmptyDirectory();
  }
}
