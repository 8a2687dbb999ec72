// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.children;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.UserCode;
import org.mammoth.engine.isolation.rewrite.CallRewriter;

/** Children of a task beside those of a JVM with the task's environment and folder. */
@Timeout(120)
class ChildProgramsTest {
  private static final String BODY =
      """
      StringBuilder r = new StringBuilder();
      File sub = new File("sub");
      String[] names = {"tool", "barred", "text", "here", "nowhere", "expr", "ls", "./here", "no/such", "."};
      for (String name : names) {
        for (int way = 0; way < 6; way++) {
          try {
            ProcessBuilder b = new ProcessBuilder(name, "1").directory(way == 5 ? sub : null);
            if (way == 4) { b.environment().put("PATH", "/usr/bin:/bin"); }
            Process p = switch (way) {
              case 0 -> Runtime.getRuntime().exec(name + " 1");
              case 1 -> Runtime.getRuntime().exec(new String[] {name, "1"}, null, sub);
              case 2 -> ProcessBuilder.startPipeline(List.of(b)).get(0);
              default -> b.start();
            };
            r.append(new String(p.getInputStream().readAllBytes()).trim()).append(b.command());
            r.append(new String(p.getErrorStream().readAllBytes()).trim());
          } catch (IOException e) {
            r.append(e.getMessage()).append(" because of ").append(e.getCause().getMessage());
          }
          r.append('\\n');
        }
      }
      for (String none : new String[] {"", "  "}) {
        try { Runtime.getRuntime().exec(none); } catch (RuntimeException e) { r.append(e).append('\\n'); }
      }
      return r.toString();""";

  private static final String MAIN =
      "public class Plain { public static void main(String[] a) {"
          + " System.out.print(new Go().apply(\"\")); } }";

  @TempDir private Path dir;

  @ParameterizedTest
  @ValueSource(strings = {"%s/own:/bin", "own::", "own/tool:%s/none:.:%s/own", "%s/own", "/none"})
  void programsAreSoughtOnTheTasksPath(String path) throws Exception {
    Path work = Files.createDirectories(dir.resolve("task").resolve("own")).getParent();
    Files.createDirectories(work.resolve("sub"));
    program(work.resolve("own/tool"), "#!/bin/sh\necho tool $1 $WHO", true);
    program(work.resolve("own/text"), "echo text $1", true);
    program(work.resolve("own/barred"), "#!/bin/sh\necho barred", false);
    program(work.resolve("here"), "#!/bin/sh\necho here $1", true);
    program(work.resolve("sub/here"), "#!/bin/sh\necho below $1", true);
    Files.createDirectory(work.resolve("own/nowhere"));
    Map<String, String> env = Map.of("PATH", path.replace("%s", work.toString()), "WHO", "me");
    Path classes = UserCode.compile(dir.resolve("code"), UserCode.function("Go", BODY), MAIN);
    TaskClassLoader loader =
        new TaskClassLoader(
            "task", UserCode.urls(classes), getClass().getClassLoader(), CallRewriter.standard());
    try (Task task = new Task(dir, "task", env, loader)) {
      assertThat(task.call("Go", "")).isEqualTo(UserCode.run("Plain", classes, work, env));
    }
  }

  private static void program(Path file, String text, boolean executable) throws IOException {
    Files.writeString(file, text + "\n");
    assertThat(file.toFile().setExecutable(executable)).isTrue();
  }
}
