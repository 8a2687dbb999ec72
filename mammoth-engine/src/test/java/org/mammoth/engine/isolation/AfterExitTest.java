// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A thread that has asked for its process's end would stand still in one: what it cleans up stays.
 */
class AfterExitTest {
  @TempDir Path folder;

  private void assertFileStays(String end, String cleanUp) throws Exception {
    Path classes =
        UserCode.compile(
            folder,
            UserCode.function(
                "Go",
                "java.io.File file = new java.io.File(in); java.nio.file.Path path = file.toPath();"
                    + " java.io.File other = new java.io.File(in + 2);"
                    + " try { "
                    + end
                    + " return null; } catch (Exception e) { return null; }"
                    + " finally { try { "
                    + cleanUp
                    + " } catch (java.io.IOException e) { } }"));
    Path file = Files.writeString(folder.resolve("kept"), "kept");
    try (Task task = new Task(folder, "go", classes)) {
      assertThatThrownBy(() -> task.call("Go", file.toString())).isInstanceOf(TaskExit.class);
    }
    assertThat(file).hasContent("kept");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "System.exit(3);",
        "Runtime.getRuntime().halt(3);",
        "java.util.Locale.setDefault(java.util.Locale.FRANCE);"
      })
  void whateverEndedIt(String end) throws Exception {
    assertFileStays(end, "file.delete(); if (file.exists()) throw new java.io.IOException();");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.nio.file.Files.delete(path);",
        "java.nio.file.Files.deleteIfExists(path);",
        "java.nio.file.Files.move(path, other.toPath());",
        "file.renameTo(other); if (file.exists()) throw new java.io.IOException();"
      })
  void howeverItIsCleanedUp(String cleanUp) throws Exception {
    assertFileStays("System.exit(3);", cleanUp);
  }

  @Test
  void aShutdownHookCleansUp() throws Exception {
    Path classes =
        UserCode.compile(
            folder,
            UserCode.function(
                "Go",
                "Runtime.getRuntime().addShutdownHook(new Thread(() -> new java.io.File(in).delete()));"
                    + " System.exit(3); return null;"));
    Path file = Files.writeString(folder.resolve("left"), "left");
    try (Task task = new Task(folder, "go", classes)) {
      assertThatThrownBy(() -> task.call("Go", file.toString())).isInstanceOf(TaskExit.class);
      task.process.runShutdownHooks(() -> false);
    }
    assertThat(file).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "new java.io.File(in).delete();",
        "new java.net.ServerSocket(0).close();",
        "new ProcessBuilder(\"rm\", in).start().waitFor();",
        "ProcessBuilder.startPipeline(List.of(new ProcessBuilder(\"rm\", in))).get(0).waitFor();",
        "Runtime.getRuntime().exec(new String[] {\"rm\", in}).waitFor();",
        "Runtime.getRuntime().exec(\"rm \" + in).waitFor();"
      })
  void nothingOfAnEndedProcessReachesTheOutside(String publish) throws Exception {
    Path classes =
        UserCode.compile(
            folder,
            UserCode.function(
                "Go",
                "try { Thread.sleep(60_000); return null; } catch (InterruptedException e) { return"
                    + " e.toString(); } finally { System.setProperty(\"unwinds\", \"yes\"); "
                    + publish
                    + " System.setProperty(\"published\", \"yes\"); }"));
    Path file = Files.writeString(folder.resolve("kept"), "kept");
    try (Task task = new Task(folder, "go", classes)) {
      Thread main =
          task.start(
              "main",
              () -> {
                try {
                  task.function("Go").apply(file.toString());
                } catch (ReflectiveOperationException e) {
                  throw new IllegalStateException(e);
                }
              });
      await().until(() -> main.getState() == Thread.State.TIMED_WAITING);
      task.process.standStill();
      main.interrupt();
      main.join();
      assertThat(task.process.properties().getProperty("unwinds")).isEqualTo("yes");
      assertThat(task.process.properties().getProperty("published")).isNull();
      assertThat(task.process.exitStatus()).as("nobody asked for the end").isEmpty();
    }
    assertThat(file).hasContent("kept");
  }
}
