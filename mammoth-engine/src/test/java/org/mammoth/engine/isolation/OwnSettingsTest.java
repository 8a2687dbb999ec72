// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.standins.files.FileCalls;
import org.mammoth.engine.isolation.standins.files.PathCalls;
import org.mammoth.engine.isolation.standins.jvm.ProcessCalls;

/** Environment, system properties and standard streams are each task's own. */
@Timeout(60)
class OwnSettingsTest {
  @TempDir static Path dir;
  static Path classes;

  @BeforeAll
  static void compile() throws Exception {
    classes =
        UserCode.compile(
            dir,
            UserCode.function(
                "Env",
                "UnaryOperator<String> get = System::getenv; Supplier<Map<String, String>> all = System::getenv;\n"
                    + "return System.getenv(\"WHO\") + get.apply(\"WHO\") + all.get().get(\"WHO\") + System.getenv().get(\"HOME\");"),
            UserCode.function(
                "EnvPut", "System.getenv().put(\"WHO\", \"me\"); return \"changed\";"),
            UserCode.function(
                "Props",
                "String was = System.setProperty(\"task.p\", in); System.setProperty(\"task.n\", \"0x10\");\n"
                    + "System.setProperty(\"task.b\", \"true\");\n"
                    + "return was + System.getProperty(\"task.p\") + System.getProperties().get(\"task.p\")\n"
                    + "  + System.getProperty(\"no.such\", \"none\") + System.getProperty(\"who\")\n"
                    + "  + Integer.getInteger(\"task.n\") + Long.getLong(\"task.x\", 7L) + Boolean.getBoolean(\"task.b\")\n"
                    + "  + System.clearProperty(\"task.n\") + Integer.getInteger(\"task.n\", 5);"),
            UserCode.function("PropsEmpty", "return System.getProperty(\"\");"),
            UserCode.function(
                "Out",
                "System.out.println(\"first\"); System.err.print(\"error\"); PrintStream old = System.out;\n"
                    + "ByteArrayOutputStream mine = new ByteArrayOutputStream();\n"
                    + "System.setOut(new PrintStream(mine, true)); System.out.print(\"second\");\n"
                    + "System.setOut(new PrintStream(new FilterOutputStream(old) { public void write(int b) throws IOException {\n"
                    + "  super.write(Character.toUpperCase(b)); } }, true)); System.out.println(\"third\");\n"
                    + "System.setOut(old); System.out.println(\"fourth\"); return mine.toString();"),
            UserCode.function(
                "In",
                "int empty = System.in.read(); System.setIn(new ByteArrayInputStream(in.getBytes()));\n"
                    + "return empty + new String(System.in.readAllBytes());"),
            UserCode.function(
                "Nine",
                "long wide = Long.getLong(\"task.w\", 1L << 40); StringBuilder b = new StringBuilder();\n"
                    + "for (int i = 0; i < 3; i++) { b.append(i == 1 ? System.getProperty(\"who\") : new File(\"x\" + i).getName()); }\n"
                    + "try { b.append(new FileReader(\"no\" + b).read()); } catch (FileNotFoundException e) { b.append('!'); }\n"
                    + "finally { b.append(wide >> 40); } return b.toString();"));
  }

  @Test
  void environmentIsTheTasks() throws Exception {
    try (Task task = new Task(dir, "env", classes)) {
      assertThat(task.call("Env", "")).isEqualTo("envenvenvnull");
      assertThatThrownBy(() -> task.call("EnvPut", ""))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  void propertiesAreTheTasks() throws Exception {
    try (Task a = new Task(dir, "props-a", classes);
        Task b = new Task(dir, "props-b", classes)) {
      assertThat(a.call("Props", "1")).isEqualTo("null11noneprops-a167true0x105");
      assertThat(b.call("Props", "2")).isEqualTo("null22noneprops-b167true0x105");
      assertThat(a.call("Props", "3")).startsWith("133");
      assertThat(System.getProperty("task.p")).isNull();
      assertThatThrownBy(() -> a.call("PropsEmpty", ""))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void streamsAreTheTasksAndMayBeWrappedAndPutBack() throws Exception {
    try (Task a = new Task(dir, "out-a", classes);
        Task b = new Task(dir, "out-b", classes)) {
      assertThat(a.call("Out", "")).isEqualTo("second");
      assertThat(a.out.toString()).isEqualTo("first\nTHIRD\nfourth\n");
      assertThat(a.err.toString()).isEqualTo("error");
      assertThat(b.out.size() + b.err.size()).isZero();
    }
  }

  @Test
  void standardInputIsEmptyUntilSet() throws Exception {
    try (Task task = new Task(dir, "in", classes)) {
      assertThat(task.call("In", "typed")).isEqualTo("-1typed");
    }
  }

  @Test
  void rewrittenCodeWithBranchesHandlersAndWideLocalsVerifies() throws Exception {
    try (Task task = new Task(dir, "nine", classes)) {
      assertThat(task.call("Nine", "")).isEqualTo("x0ninex2!1");
    }
  }

  @Test
  void outsideOfAnyTaskTheJdkAnswers() {
    assertThat(TaskProcess.currentOrNull()).isNull();
    assertThat(ProcessCalls.getenv()).isSameAs(System.getenv());
    assertThat(ProcessCalls.getProperties()).isSameAs(System.getProperties());
    assertThat(ProcessCalls.out()).isSameAs(System.out);
    assertThat(FileCalls.name("a")).isEqualTo("a");
    assertThat(PathCalls.path(Path.of("a"))).isEqualTo(Path.of("a"));
  }
}
