// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.UserCode;
import org.mammoth.engine.isolation.classfile.HarmlessImports;

/** Which native libraries of a job an engine loads, told by what they take from others. */
class NativeLibrariesTest {
  @TempDir Path dir;

  /** Code that copies a library of the JDK to the task's folder for temporary files. */
  private static String unpacked(String library) {
    return "Path of = Path.of(System.getProperty(\"java.home\"), \"lib\", System.mapLibraryName(\""
        + library
        + "\"));\n"
        + "Path own = Path.of(System.getProperty(\"java.io.tmpdir\"), \"unpacked.so\");\n"
        + "Files.createDirectories(own.getParent());\n"
        + "Files.copy(of, own);\n";
  }

  @Test
  void librariesThatOnlyComputeAreLoaded() throws Exception {
    String body = unpacked("mlib_image") + "System.load(own.toString()); return \"loaded\";";
    assertThat(call("Computes", body)).isEqualTo("loaded");
    assertThat(call("ComputesAgain", body)).isEqualTo("loaded");
  }

  @Test
  void mostOfWhatACLibraryHasReachesTheProcess() {
    for (String name : new String[] {"open64", "chdir", "setenv", "sigaction", "fcntl", "printf"}) {
      assertThat(HarmlessImports.isHarmless(name)).as(name).isFalse();
    }
    for (String name : new String[] {"memcpy", "pthread_mutex_lock", "_ZNSs6appendEPKc"}) {
      assertThat(HarmlessImports.isHarmless(name)).as(name).isTrue();
    }
  }

  @Test
  void whatCannotBeLookedIntoIsNotLoaded() throws Exception {
    Path text = Files.writeString(dir.resolve("text.so"), "no library");
    assertThat(HarmlessImports.objection(text).orElseThrow()).startsWith("cannot be looked into");
    byte[] whole = Files.readAllBytes(Path.of(System.getProperty("java.home"), "lib/libprefs.so"));
    for (int length = 0; length < whole.length; length += 97) {
      Path part = Files.write(dir.resolve("part.so"), Arrays.copyOf(whole, length));
      assertThat(HarmlessImports.objection(part)).as("%d bytes", length).isPresent();
    }
  }

  @Test
  void librariesThatReachTheProcessNeedOne() throws Exception {
    String body = unpacked("prefs") + "System.load(own.toString()); return \"loaded\";";
    Path classes = UserCode.compile(dir, UserCode.function("Reaches", body));
    try (Task task = new Task(dir, "reaches", classes)) {
      assertThatThrownBy(() -> task.call("Reaches", "")).isInstanceOf(TaskExit.class);
      assertThat(task.events.get(0))
          .startsWith("needs a process: Reaches calls System.load of ")
          .endsWith("unpacked.so, which uses JNU_GetStringPlatformChars");
    }
  }

  @Test
  void whatIsNoLibraryFailsAsInAProcess() throws Exception {
    String body =
        "Path none = Path.of(System.getProperty(\"java.io.tmpdir\"), \"none.so\");\n"
            + "try { System.load(none.toString()); return \"loaded\"; }\n"
            + "catch (UnsatisfiedLinkError e) { return e.getMessage().replaceAll(\".*/\", \"\"); }";
    assertThat(call("NoFile", body)).isEqualTo("none.so");
  }

  private String call(String name, String body) throws Exception {
    try (Task task = new Task(dir, name, UserCode.compile(dir, UserCode.function(name, body)))) {
      return task.call(name, "");
    }
  }
}
