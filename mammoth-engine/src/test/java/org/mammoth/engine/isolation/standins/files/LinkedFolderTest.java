// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.UserCode;
import org.mammoth.engine.isolation.rewrite.CallRewriter;

/**
 * A task whose folder is named by a link, as where a NodeManager's local folder is one, beside a
 * JVM that was started there: the kernel tells that its folder without links.
 */
@Timeout(120)
class LinkedFolderTest {
  private static final String BODY =
      """
      try {
        StringBuilder r = new StringBuilder(System.getProperty("user.dir"));
        r.append('\\n').append(new File("a").getAbsolutePath());
        r.append('\\n').append(new File("").getAbsoluteFile());
        r.append('\\n').append(new File(".").getCanonicalPath());
        r.append('\\n').append(java.nio.file.Path.of("a").toAbsolutePath());
        r.append('\\n').append(java.nio.file.Path.of("/proc/self/cwd").toRealPath());
        Process child = new ProcessBuilder("sh", "-c", "pwd; echo $0", "x").start();
        r.append('\\n').append(new String(child.getInputStream().readAllBytes()));
        child = new ProcessBuilder(new File("./tool").getAbsolutePath()).start();
        r.append(new String(child.getInputStream().readAllBytes()));
        return r.append(System.getenv("PWD")).toString();
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }""";

  private static final String MAIN =
      "public class Plain { public static void main(String[] a) {"
          + " System.out.print(new Go().apply(\"\")); } }";

  @TempDir private Path dir;

  @Test
  void aTaskSeesItsFolderAsAProcessDoes() throws Exception {
    Path link =
        Files.createSymbolicLink(dir.resolve("link"), Files.createDirectory(dir.resolve("real")));
    Path work = Files.createDirectory(link.resolve("task"));
    Path tool = Files.writeString(work.resolve("tool"), "#!/bin/sh\necho tool $0\n");
    assertThat(tool.toFile().setExecutable(true)).isTrue();
    Map<String, String> env = Map.of("PATH", System.getenv("PATH"), "PWD", work.toString());
    Path classes = UserCode.compile(dir.resolve("code"), UserCode.function("Go", BODY), MAIN);
    TaskClassLoader loader =
        new TaskClassLoader(
            "task", UserCode.urls(classes), getClass().getClassLoader(), CallRewriter.standard());
    try (Task task = new Task(link, "task", env, loader)) {
      String told = task.call("Go", "");
      assertThat(told).isEqualTo(UserCode.run("Plain", classes, work, env));
      assertThat(told).startsWith(work.toRealPath().toString()).contains("tool", work.toString());
    }
  }
}
