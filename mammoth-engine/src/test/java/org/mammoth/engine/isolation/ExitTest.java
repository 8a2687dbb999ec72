// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A task that ends itself ends itself only; that this JVM is here to report it is part of the
 * proof.
 */
@Timeout(60)
class ExitTest {
  @TempDir static Path dir;
  static Path classes;

  @BeforeAll
  static void compile() throws Exception {
    classes =
        UserCode.compile(
            dir,
            UserCode.function("Direct", "System.exit(3); return \"lived\";"),
            UserCode.function("ByRuntime", "Runtime.getRuntime().exit(4); return \"lived\";"),
            UserCode.function("Halt", "Runtime.getRuntime().halt(5); return \"lived\";"),
            UserCode.function("Negative", "System.exit(-100); return \"lived\";"),
            UserCode.function("Large", "Runtime.getRuntime().halt(256); return \"lived\";"),
            UserCode.function(
                "InLambda", "Runnable r = () -> System.exit(6); r.run(); return \"lived\";"),
            UserCode.function(
                "ByReference", "IntConsumer c = System::exit; c.accept(7); return \"lived\";"),
            UserCode.function(
                "ByBoundReference",
                "IntConsumer c = Runtime.getRuntime()::halt; c.accept(8); return \"lived\";"),
            UserCode.function(
                "Stubborn",
                "try { System.exit(10); } catch (Throwable t) { }\n"
                    + "try { System.exit(11); } catch (Throwable t) { } return \"lived\";"),
            UserCode.function(
                "InChild",
                "Thread t = new Thread(() -> System.exit(12)); t.start(); t.join(); return \"lived\";"),
            UserCode.function(
                "InPool",
                "var pool = java.util.concurrent.Executors.newFixedThreadPool(2);\n"
                    + "try { pool.submit(() -> System.exit(13)).get(); } catch (Exception e) { }\n"
                    + "pool.shutdown(); return \"lived\";"),
            UserCode.function(
                "InCommonPool",
                "Thread me = Thread.currentThread();\n"
                    + "try { java.util.concurrent.CompletableFuture.runAsync(() -> {\n"
                    + "  if (Thread.currentThread() == me) throw new IllegalStateException(); System.exit(14); }).get();\n"
                    + "} catch (java.util.concurrent.ExecutionException e) { } return \"lived\";"));
  }

  @ParameterizedTest
  @CsvSource({
    "Direct, exit 3",
    "ByRuntime, exit 4",
    "Halt, halt 5",
    "Negative, exit 156",
    "Large, halt 0",
    "InLambda, exit 6",
    "ByReference, exit 7",
    "ByBoundReference, halt 8",
  })
  void unwindsTheCaller(String code, String event) throws Exception {
    try (Task task = new Task(dir, code, classes)) {
      assertThatThrownBy(() -> task.call(code, "")).isInstanceOf(TaskExit.class);
      assertThat(task.events).containsExactly(event);
      assertThat(task.process.exitStatus()).hasValue(Integer.parseInt(event.substring(5)));
      assertThat(task.process.halted()).isEqualTo(event.startsWith("halt"));
    }
  }

  @Test
  void isToldThoughTheCallerCatchesEverything() throws Exception {
    try (Task task = new Task(dir, "stubborn", classes)) {
      assertThat(task.call("Stubborn", "")).isEqualTo("lived");
      assertThat(task.events).as("the first request wins").containsExactly("exit 10");
      assertThat(task.process.exitStatus()).hasValue(10);
    }
  }

  @ParameterizedTest
  @CsvSource({"InChild, exit 12", "InPool, exit 13", "InCommonPool, exit 14"})
  void isToldFromAnyThread(String code, String event) throws Exception {
    try (Task task = new Task(dir, code, classes)) {
      assertThat(task.call(code, "")).isEqualTo("lived");
      assertThat(task.exited.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(task.events).containsExactly(event);
      assertThat(task.err.toString()).as("an exit is no failure to print").isEmpty();
    }
  }
}
