// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine;

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
        print(engine, 300);
        awaitEnd(file, "line 299");
        limit.look();
        assertThat(Files.size(file)).isBetween(1_000L, 10_000L);
        assertThat(Files.readString(file)).startsWith("... of ").endsWith("line 299\n");
      }
      print(engine, 3);
      awaitEnd(file, "line 2");
      long length = Files.size(file);
      limit.look();
      assertThat(Files.size(file)).as("of a short one").isEqualTo(length);
      assertThat(Files.readAllBytes(file)).as("no hole").doesNotContain(0);
    } finally {
      engine.destroyForcibly().waitFor();
    }
  }

  private static void print(Process engine, int lines) throws IOException {
    String padding = "x".repeat(60);
    for (int line = 0; line < lines; line++) {
      String text = padding + " line " + line + "\n";
      engine.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }
    engine.getOutputStream().flush();
  }

  private static void awaitEnd(Path file, String end) throws Exception {
    while (!Files.readString(file).endsWith(end + "\n")) {
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
