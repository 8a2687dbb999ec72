// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.children;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildScriptsTest {

  private static final String SCRIPT = "#!/bin/sh\necho $PPID\n";

  @TempDir private Path folder;

  private Path write(String name, String mode) throws IOException {
    Path file = Files.writeString(folder.resolve(name), SCRIPT);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private List<String> texts(String... command) {
    return ChildScripts.texts(List.of(command), folder.toFile());
  }

  @Test
  void scriptsAreReadWhetherRunOrInterpreted() throws IOException {
    write("run.sh", "rwxr-xr-x");
    write("read.sh", "rw-r--r--");
    assertThat(texts("./run.sh", "x")).containsExactly(SCRIPT);
    assertThat(texts("timeout", "5", "./run.sh")).containsExactly(SCRIPT);
    assertThat(texts("sh", "-x", "read.sh")).contains(SCRIPT);
  }

  @Test
  void whatAScriptCallsOrImportsIsReadIfItLiesBeside() throws IOException {
    Files.writeString(folder.resolve("map.py"), "from workers import start\nstart()\n");
    Files.writeString(folder.resolve("workers.py"), "os.system('sh ./stop.sh')\n");
    Files.writeString(folder.resolve("stop.sh"), "kill 0\n");
    Files.writeString(folder.resolve("other.sh"), "kill 1\n");
    assertThat(texts("python3", "map.py"))
        .anyMatch(text -> text.startsWith("from workers"))
        .anyMatch(text -> text.startsWith("os.system"))
        .contains("kill 0\n")
        .doesNotContain("kill 1\n");
    assertThat(texts("bash", "-c", "exec ./stop.sh")).contains("kill 0\n");
    assertThat(texts("cat", "data")).isEmpty();
  }

  @Test
  void dataThatACommandNamesIsNotTouched() throws IOException {
    Path data = write("data", "rw-r--r--");
    FileTime then = FileTime.fromMillis(23_456_000);
    Files.getFileAttributeView(data, BasicFileAttributeView.class).setTimes(then, then, null);
    assertThat(texts("ls", "-ld", data.toString())).isEmpty();
    BasicFileAttributeView now = Files.getFileAttributeView(data, BasicFileAttributeView.class);
    assertThat(now.readAttributes().lastAccessTime()).isEqualTo(then);
  }
}
