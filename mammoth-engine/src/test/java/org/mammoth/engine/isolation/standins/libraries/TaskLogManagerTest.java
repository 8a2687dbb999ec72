// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.libraries;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.UserCode;

@Timeout(60)
class TaskLogManagerTest {
  @TempDir private Path dir;

  @Test
  void closesItsFilesAsTheProcessEnds() throws Exception {
    Path classes =
        UserCode.compile(
            dir,
            UserCode.function(
                "Logs",
                "var logger = java.util.logging.Logger.getLogger(\"own\");\n"
                    + "logger.addHandler(new java.util.logging.FileHandler(in));\n"
                    + "logger.warning(\"told\"); return \"\";"));
    Path log = dir.resolve("log.xml");
    try (Task task = new Task(dir, "logs", classes)) {
      task.call("Logs", log.toString());
      task.process.runShutdownHooks(() -> false);
      assertThat(Files.readString(log)).contains("told").endsWith("</log>\n");
      assertThat(dir.resolve("log.xml.lck")).doesNotExist();
    }
  }
}
