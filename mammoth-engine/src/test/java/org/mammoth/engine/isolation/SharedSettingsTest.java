// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mammoth.engine.isolation.rewrite.CallRewriter;
import org.mammoth.engine.statics.StaticsRewriter;
import org.mammoth.engine.statics.StaticsTable;

/** A job's code that sets a static field of a class that all tasks share. */
@Timeout(60)
class SharedSettingsTest {
  private static final String SHARED = SharedSettings.class.getName();

  @TempDir private Path dir;

  private Task task(boolean childFirst, String body, String... more) throws Exception {
    Path classes =
        UserCode.compile(
            dir,
            UserCode.function("Sets", body),
            "public class Heir extends " + SHARED + " {\n" + String.join("\n", more) + "}\n");
    ClassLoader parent = getClass().getClassLoader();
    StaticsRewriter fields = new StaticsRewriter(StaticsTable.load(), parent);
    TaskClassLoader loader =
        new TaskClassLoader(
            "job",
            UserCode.urls(classes),
            parent,
            childFirst ? List.of("java.", SHARED) : null,
            CallRewriter.standard(),
            fields::rewriteUses);
    return new Task(dir, "t", loader);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SharedSettings.limit++ | limit",
        "Heir.limit = 8 | limit",
        "new Heir().change() | mode",
        "Runnable late = () -> SharedSettings.limit = 9; late.run() | limit",
      })
  void needsAProcess(String code, String field) throws Exception {
    String body = code.replace("SharedSettings.", SHARED + ".") + "; return in;";
    for (boolean childFirst : new boolean[] {false, true}) {
      try (Task task = task(childFirst, body, "void change() { mode = \"other\"; }")) {
        assertThatThrownBy(() -> task.call("Sets", "")).isInstanceOf(TaskExit.class);
        String who = field.equals("mode") ? "Heir" : "Sets";
        assertThat(task.events)
            .containsExactly("needs a process: " + who + " sets " + SHARED + "." + field);
      }
    }
    assertThat(SharedSettings.limit).isEqualTo(7);
    assertThat(SharedSettings.mode()).isEqualTo("plain");
  }

  @Test
  void readsItAndSetsItsOwn() throws Exception {
    String body = "Heir.own = in; Heir.limit(); return Heir.own + " + SHARED + ".limit;";
    try (Task task =
        task(false, body, "static String own;", "static long limit() { return limit; }")) {
      assertThat(task.call("Sets", "a")).isEqualTo("a7");
      assertThat(task.events).isEmpty();
    }
  }
}
