// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.UserCode;

@Timeout(60)
class LoaderCallsTest {
  @TempDir private Path dir;

  @Test
  void servicesOfTheJobAreFoundWhereTheContextLoaderIsTheSystems() throws Exception {
    Path classes =
        UserCode.compile(
            dir,
            "public class Part implements Runnable { public void run() {} }",
            UserCode.function(
                "Finds",
                "Thread.currentThread().setContextClassLoader(Runnable.class.getClassLoader());\n"
                    + "int none = 0; for (Runnable each : ServiceLoader.load(Runnable.class)) none++;\n"
                    + "Thread.currentThread().setContextClassLoader(\n"
                    + "  org.apache.hadoop.io.Text.class.getClassLoader());\n"
                    + "return none + ServiceLoader.load(Runnable.class).iterator().next().getClass().getName();"));
    Path names = Files.createDirectories(classes.resolve("META-INF/services"));
    Files.writeString(names.resolve("java.lang.Runnable"), "Part\n");
    try (Task task = new Task(dir, "finds", classes)) {
      assertThat(task.call("Finds", "")).isEqualTo("1Part");
    }
  }
}
