// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.rewrite.CallRewriter;
import org.mammoth.engine.statics.StaticsRewriter;
import org.mammoth.engine.statics.StaticsTable;

/**
 * A job with a class loader of its own brings a library that the engine has, too: fields for which
 * tasks have slots in the engine's library are plain fields in the job's.
 */
class OwnCopyTest {
  private static final String LISTED = "org.yaml.snakeyaml.util.UriEncoder";
  private static final String FIELD = "UTF8Decoder";

  @TempDir private Path dir;

  private Task task(String body) throws Exception {
    try (InputStream list =
        StaticsTable.class.getResourceAsStream("/org/mammoth/engine/statics/task-statics.txt")) {
      assertThat(new String(list.readAllBytes(), UTF_8)).contains(LISTED + " " + FIELD);
    }
    Path classes =
        UserCode.compile(
            dir,
            "package org.yaml.snakeyaml.util; public class UriEncoder {"
                + " public static Object UTF8Decoder = \"first\";"
                + " public static String say() { return \"\" + UTF8Decoder; } }",
            "public class Heir extends " + LISTED + " {}",
            UserCode.function("Go", body));
    ClassLoader parent = getClass().getClassLoader();
    TaskClassLoader loader =
        new TaskClassLoader(
            "job",
            UserCode.urls(classes),
            parent,
            List.of("java."),
            CallRewriter.standard(),
            new StaticsRewriter(StaticsTable.load(), parent)::rewriteUses);
    return new Task(dir, "t", loader);
  }

  private void assertAnswers(String body, String expected) throws Exception {
    try (Task task = task(body)) {
      assertThat(task.call("Go", "")).isEqualTo(expected);
      assertThat(task.events).isEmpty();
    }
  }

  @Test
  void itsInitialiserSetsIt() throws Exception {
    assertAnswers("return " + LISTED + ".say();", "first");
  }

  @Test
  void othersSetAndGetIt() throws Exception {
    String field = LISTED + "." + FIELD;
    assertAnswers(
        field + " = \"second\"; return " + LISTED + ".say() + " + field + ";", "secondsecond");
  }

  @Test
  void heirsNameIt() throws Exception {
    assertAnswers(
        "Heir." + FIELD + " = \"third\"; return " + LISTED + ".say() + Heir.say();", "thirdthird");
  }

  @Test
  void reflectionFindsIt() throws Exception {
    assertAnswers(
        "try { java.lang.reflect.Field f = Class.forName(\""
            + LISTED
            + "\").getField(\""
            + FIELD
            + "\"); f.set(null, \"fourth\"); return f.get(null) + "
            + LISTED
            + ".say(); } catch (ReflectiveOperationException e) { return e.toString(); }",
        "fourthfourth");
  }
}
