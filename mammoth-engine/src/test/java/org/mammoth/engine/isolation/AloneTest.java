// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.HttpURLConnection;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A task that has its JVM to itself does to it what needs a process elsewhere. */
class AloneTest {
  private static final String READ_BY_THE_JDK = "javax.net.ssl.trustStore";

  @TempDir private Path folder;

  private Task alone(String name, String body) throws Exception {
    Task task = new Task(folder, name, UserCode.compile(folder, UserCode.function("Go", body)));
    task.alone = true;
    return task;
  }

  @Test
  void itsCallsReachTheJvm() throws Exception {
    boolean before = HttpURLConnection.getFollowRedirects();
    String body = "java.net.HttpURLConnection.setFollowRedirects(!%s); return \"done\";";
    try (Task task = alone("calls", body.formatted(before))) {
      assertThat(task.call("Go", "")).isEqualTo("done");
      assertThat(HttpURLConnection.getFollowRedirects()).isEqualTo(!before);
      assertThat(task.events).isEmpty();
    } finally {
      HttpURLConnection.setFollowRedirects(before);
    }
  }

  @Test
  void propertiesThatTheJdkReadsAreTheJvms() throws Exception {
    String body =
        "System.setProperty(\"%s\", in); return System.getProperty(\"%s\");"
            .formatted(READ_BY_THE_JDK, READ_BY_THE_JDK);
    try (Task task = alone("sets", body)) {
      assertThat(task.call("Go", "store")).isEqualTo("store");
      assertThat(System.getProperty(READ_BY_THE_JDK)).isEqualTo("store");
      assertThat(task.events).isEmpty();
    } finally {
      System.clearProperty(READ_BY_THE_JDK);
    }
  }

  @Test
  void librariesOnItsPathAreLoadedForItsClasses() throws Exception {
    // Of the JDK's own some loader may have loaded those that all use.
    try (Task task = alone("loads", "System.loadLibrary(\"mlib_image\"); return \"loaded\";")) {
      assertThat(task.call("Go", "")).isEqualTo("loaded");
      assertThat(task.events).isEmpty();
    }
  }

  @Test
  void oneThatHasAskedForItsEndDoesNot() throws Exception {
    String body =
        "try { System.exit(3); return null; }"
            + " finally { java.net.HttpURLConnection.setFollowRedirects(!%s); }";
    boolean before = HttpURLConnection.getFollowRedirects();
    try (Task task = alone("leaves", body.formatted(before))) {
      assertThatThrownBy(() -> task.call("Go", "")).isInstanceOf(TaskExit.class);
      assertThat(HttpURLConnection.getFollowRedirects()).isEqualTo(before);
      assertThat(task.events).containsExactly("exit 3");
    } finally {
      HttpURLConnection.setFollowRedirects(before);
    }
  }
}
