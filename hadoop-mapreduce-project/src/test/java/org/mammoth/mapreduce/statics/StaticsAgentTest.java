// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.CommonPoolThreads;
import org.mammoth.engine.statics.StaticsAgent;

/**
 * Hadoop's own classes, rewritten by the agent in a JVM of their own which verifies all of them:
 * each check of {@link SharedJvm} prints a line, and what fails ends the JVM with its stack trace.
 */
class StaticsAgentTest {

  @TempDir private Path folder;

  /** The second JVM takes the classes that the first has rewritten. */
  @Test
  void tasksHaveTheirOwnStateOfSharedClasses() throws IOException, InterruptedException {
    Path agent = folder.resolve("agent.jar");
    StaticsAgent.writeJar(agent);
    Path kept = folder.resolve("kept");
    for (String run : List.of("first", "second")) {
      check(StaticsAgent.option(agent, true, kept), Files.createDirectory(folder.resolve(run)));
    }
    assertThat(kept).isNotEmptyFile();
  }

  private static void check(String agent, Path folder) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "-Djava.util.concurrent.ForkJoinPool.common.threadFactory="
                    + CommonPoolThreads.class.getName(),
                agent,
                "-cp",
                System.getProperty("java.class.path")
                    + File.pathSeparator
                    + SharedStacks.write(folder.resolve("classes")),
                SharedJvm.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .directory(folder.toFile())
            .start();
    boolean ended = jvm.waitFor(10, TimeUnit.MINUTES);
    String said = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(ended).as(said).isTrue();
    assertThat(jvm.exitValue()).as(said).isZero();
    List<String> checks = SharedJvm.checks();
    assertThat(said.lines().filter(line -> line.startsWith("ok ")).toList())
        .containsExactlyElementsOf(checks.stream().map("ok "::concat).toList());
  }
}
