// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.UserCode;

/** Methods of the JDK that code calls by the name of a subclass, the JDK's or its own. */
@Timeout(60)
class InheritedCallsTest {

  @TempDir private Path dir;

  private Task task(String name, String body) throws Exception {
    Path classes =
        UserCode.compile(
            dir,
            UserCode.function("Go", body),
            "public class Worker extends Thread {}",
            "public class Busy extends Worker {}",
            "public class Loader extends java.net.URLClassLoader {"
                + " public Loader() { super(new java.net.URL[0]); } }",
            "public class Blind extends Loader {"
                + " public java.net.URL getResource(String name) { return null; } }",
            "public class Zone extends java.util.SimpleTimeZone { public Zone() { super(0, \"Z\"); }"
                + " public static void setDefault(java.util.TimeZone zone) {} }",
            "public class Log extends java.util.logging.Logger {"
                + " public Log() { super(\"log\", null); } }",
            "public class Named extends java.io.File {"
                + " public Named(String name) { super(name); } }");
    return new Task(dir, name, classes);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "java.util.SimpleTimeZone.setDefault(null); | TimeZone.setDefault",
        "javax.net.ssl.HttpsURLConnection.setFollowRedirects(false);"
            + "| HttpURLConnection.setFollowRedirects",
        "new Named(\"relative\"); | File of a relative name, which it extends"
      })
  void needAProcessWhereTheParentsDo(String call, String what) throws Exception {
    try (Task task = task("one", call + " return \"on\";")) {
      assertThatThrownBy(() -> task.call("Go", "")).isInstanceOf(TaskExit.class);
      assertThat(task.events).singleElement().asString().contains("calls " + what);
    }
  }

  @Test
  void areTheTasksWhereTheParentsAre() throws Exception {
    String body =
        "String seen = Busy.getDefaultUncaughtExceptionHandler() + \" \""
            + " + (Blind.getSystemClassLoader() == Go.class.getClassLoader()) + \" \""
            + " + (Loader.getSystemResource(\"Go.class\") != null) + \" \""
            + " + new Named(\"/absolute\").getPath();\n"
            + "Busy.setDefaultUncaughtExceptionHandler((thread, error) -> {});\n"
            + "java.util.function.Supplier<Map<Thread, StackTraceElement[]>> all = Worker::getAllStackTraces;\n"
            + "return seen + \" \" + all.get().keySet().equals(Thread.getAllStackTraces().keySet());";
    for (String name : new String[] {"one", "two"}) {
      try (Task task = task(name, body)) {
        assertThat(task.call("Go", "")).isEqualTo("null true true /absolute true");
        assertThat(task.events).isEmpty();
      }
    }
    assertThat(Thread.getDefaultUncaughtExceptionHandler()).isNull();
  }

  @Test
  void areTheSubclassesWhereThoseHaveTheirOwn() throws Exception {
    String body =
        "Zone.setDefault(null); Blind blind = new Blind();"
            + " return blind.getResource(\"Go.class\") + \" \" + (new Loader().getResource(\"Go.class\") != null);";
    try (Task task = task("one", body)) {
      assertThat(task.call("Go", "")).isEqualTo("null true");
      assertThat(task.events).isEmpty();
    }
  }
}
