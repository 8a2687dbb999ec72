// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command as an administrator gives it. */
class ConfigureCommandTest {

  private static final Path RELEASE = Path.of("../hadoop-dist/src/main/conf");

  @TempDir Path temp;

  private final StringWriter said = new StringWriter();
  private Path home;
  private Path to;

  @BeforeEach
  void start() throws IOException {
    home = temp.resolve("release");
    to = temp.resolve("new");
    Files.createDirectories(home.resolve("share/hadoop/common"));
    Path conf = Files.createDirectories(home.resolve("etc/hadoop"));
    try (Stream<Path> files = Files.list(RELEASE)) {
      for (Path file : files.toList()) {
        Files.copy(file, conf.resolve(file.getFileName()));
      }
    }
  }

  private int configure(String master, String workers) {
    PrintWriter out = new PrintWriter(said, true);
    return new CommandLine(new UpgradeCli())
        .setOut(out)
        .setErr(out)
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              out.println(e.getMessage());
              return 1;
            })
        .execute(
            "configure",
            "--hadoop-home=" + home,
            "--conf-dir=" + home.resolve("etc/hadoop"),
            "--master=" + master,
            "--workers=" + workers,
            "--disks=/data1",
            "--to=" + to);
  }

  @Test
  void aMisspeltFileIsNoHost() {
    assertThat(configure("m1", "workers.invalid")).isEqualTo(1);
    assertThat(said.toString()).contains("'workers.invalid' for --workers is no file, and no host");
    assertThat(to).doesNotExist();
  }

  @Test
  void whoTheWorkersAreIsSaid() throws IOException {
    Path file = Files.writeString(temp.resolve("workers"), "w1\nw2\nw3\nw4\nw5\nw6\n");
    assertThat(configure("m1", file.toString())).as(said.toString()).isZero();
    assertThat(said.toString())
        .contains("of 6 workers (w1, w2, w3, w4, w5, ...) is in " + to)
        .contains("of each block there will be 3 copies")
        .contains("put the release into " + home);
  }

  @Test
  void namesNeedNotBeKnownHere() {
    assertThat(configure("m1", "w1.invalid,w2.invalid")).as(said.toString()).isZero();
    assertThat(said.toString()).contains("of 2 workers (w1.invalid, w2.invalid)");
  }
}
