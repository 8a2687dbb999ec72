// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.logs.TaskLogs;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;

class ContainerOutputTest {

  @TempDir Path folder;

  private static LoggingEvent event(String text) {
    return new LoggingEvent("", Logger.getLogger("user.Code"), Level.INFO, text, null);
  }

  /** A thread that is left prints and logs that it was interrupted. */
  @Test
  void nothingComesAfterTheMomentAtWhichAProcessIsGone() throws Exception {
    Files.writeString(folder.resolve("stdout"), "of an earlier container");
    ContainerOutput output = new ContainerOutput(folder);
    ContainerLaunchSpec spec = new ContainerLaunchSpec().withProgram(List.of(), List.of(), "INFO");
    CountDownLatch sleeps = new CountDownLatch(1);
    try (PrintStream stdout = new PrintStream(output.stdout(), true);
        PrintStream stderr = new PrintStream(output.stderr(), true);
        TaskLogs logs = output.openLogs(spec, false)) {
      Thread left =
          new Thread(
              () -> {
                stdout.print("begun");
                logs.append(event("begun"));
                sleeps.countDown();
                try {
                  Thread.sleep(Duration.ofHours(1).toMillis());
                } catch (InterruptedException e) {
                  stdout.print("interrupted");
                  e.printStackTrace(stderr);
                  logs.append(event("interrupted"));
                }
              });
      left.start();
      sleeps.await();
      output.end();
      left.interrupt();
      left.join();
      assertThat(logs.accepts(Level.ERROR_INT)).isFalse();
    }
    assertThat(folder.resolve("stdout")).hasContent("begun");
    assertThat(folder.resolve("stderr")).isEmptyFile();
    assertThat(Files.readString(folder.resolve("syslog")))
        .contains("begun")
        .doesNotContain("interrupted");
  }
}
