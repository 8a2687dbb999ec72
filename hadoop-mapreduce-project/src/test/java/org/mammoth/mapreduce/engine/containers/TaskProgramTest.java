// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.CommonPoolThreads;
import org.mammoth.engine.statics.StaticsAgent;
import org.mammoth.mapreduce.engine.TaskJvm;

/** What a task tells its ApplicationMaster of its end, and how it ends, as a process would. */
public class TaskProgramTest {

  @TempDir private Path folder;

  private List<String> run(String what) throws Exception {
    Path agent = folder.resolve("agent.jar");
    StaticsAgent.writeJar(agent);
    Path output = folder.resolve("output");
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
                "-Djava.util.concurrent.ForkJoinPool.common.threadFactory="
                    + CommonPoolThreads.class.getName(),
                StaticsAgent.option(agent, true),
                "-cp",
                System.getProperty("java.class.path"),
                TaskJvm.class.getName(),
                what,
                Files.createDirectory(folder.resolve("task")).toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .directory(folder.toFile())
            .start();
    boolean ended = jvm.waitFor(5, TimeUnit.MINUTES);
    jvm.destroyForcibly();
    String said = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(ended).as(said).isTrue();
    assertThat(jvm.exitValue()).as(said).isZero();
    return said.lines().filter(line -> line.matches("(exit|told|happened) .*")).toList();
  }

  @Test
  void whateverAJobThrowsIsTold() throws Exception {
    assertThat(run("throwable")).containsExactly("exit 0", "told it leaves a closure");
  }

  @Test
  void aClassThatAJobDoesNotFindIsToldInUpstreamsWords() throws Exception {
    assertThat(run("class"))
        .containsExactly("exit 0", "told java.lang.reflect.UndeclaredThrowableException");
  }

  @Test
  void oneThatItsMasterDoesNotKnowAnyMoreRunsItsHooks() throws Exception {
    assertThat(run("thread"))
        .containsExactly(
            "exit 66",
            "told java.lang.IllegalStateException: no such record",
            "happened unlocks",
            "happened is interrupted");
  }
}
