package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.logging.LogManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the JDK has once in a JVM: a task has its own, or goes on in a process. */
@Timeout(60)
class JvmStateTest {
  @TempDir private Path dir;

  private static Map<String, String> needs() {
    Map<String, String> needs = new LinkedHashMap<>();
    needs.put("Locale.setDefault", "Locale.setDefault(Locale.GERMANY);");
    needs.put("TimeZone.setDefault", "TimeZone.setDefault(TimeZone.getTimeZone(\"GMT+5\"));");
    needs.put("Security.setProperty", "java.security.Security.setProperty(\"x\", \"y\");");
    needs.put("Authenticator.setDefault", "java.net.Authenticator.setDefault(null);");
    needs.put(
        "URLConnection.setDefaultUseCaches",
        "new java.net.URL(\"file:/\").openConnection().setDefaultUseCaches(false);");
    needs.put(
        "System.setProperty of http.proxyHost", "System.setProperty(\"http.proxyHost\", \"h\");");
    needs.put("System.loadLibrary of none", "System.loadLibrary(\"none\");");
    needs.put("System.load of /none.so", "System.load(\"/none.so\");");
    needs.put(
        "Locale.setDefault by reflection",
        "Locale.class.getMethod(\"setDefault\", Locale.class).invoke(null, Locale.GERMANY);");
    needs.put(
        "Field.set of org.apache.hadoop.io.Text.NONE",
        "java.lang.reflect.Field f = org.apache.hadoop.io.Text.class.getDeclaredFields()[0];\n"
            + "for (java.lang.reflect.Field each : org.apache.hadoop.io.Text.class.getDeclaredFields())"
            + " { if (java.lang.reflect.Modifier.isStatic(each.getModifiers())) { f = each; } }\n"
            + "f.setAccessible(true); f.set(null, null);");
    return needs;
  }

  @ParameterizedTest
  @MethodSource("names")
  void endsTheAttemptWhereItIsReached(String what) throws Exception {
    Locale before = Locale.getDefault();
    Path classes =
        UserCode.compile(dir, UserCode.function("Reach", needs().get(what) + " return \"on\";"));
    try (Task task = new Task(dir, "reach", classes)) {
      assertThatThrownBy(() -> task.call("Reach", "")).isInstanceOf(TaskExit.class);
      assertThat(task.events).hasSize(1);
      String event = task.events.get(0);
      if (what.startsWith("Field.set")) {
        assertThat(event)
            .startsWith("needs a process: Reach calls Field.set of org.apache.hadoop.io.Text.");
      } else {
        assertThat(event)
            .startsWith("needs a process: Reach calls " + what.replace(" by reflection", ""));
      }
    }
    assertThat(Locale.getDefault()).isEqualTo(before);
  }

  static java.util.stream.Stream<String> names() {
    return needs().keySet().stream();
  }

  private String call(String name, String body) throws Exception {
    try (Task task = new Task(dir, name, UserCode.compile(dir, UserCode.function(name, body)))) {
      return task.call(name, "");
    }
  }

  @Test
  void loggersOfTheJdkAreTheTasks() throws Exception {
    String said =
        call(
            "Jul",
            "java.util.logging.Logger l = java.util.logging.Logger.getLogger(\"of.task\");\n"
                + "StringBuilder heard = new StringBuilder();\n"
                + "java.util.logging.Logger root = java.util.logging.LogManager.getLogManager().getLogger(\"\");\n"
                + "root.addHandler(new java.util.logging.Handler() {\n"
                + "  public void publish(java.util.logging.LogRecord r) { heard.append(r.getMessage()); }\n"
                + "  public void flush() {} public void close() {} });\n"
                + "l.setLevel(java.util.logging.Level.FINE); l.fine(\"fine\");\n"
                + "java.util.logging.Logger.getLogger(\"of.task.child\").fine(\"+child\");\n"
                + "return heard.toString();");
    assertThat(said).isEqualTo("fine+child");
    assertThat(LogManager.getLogManager().getLogger("of.task")).isNull();
  }

  @Test
  void managementBeansAreTheTasks() throws Exception {
    String body =
        "javax.management.MBeanServer s = java.lang.management.ManagementFactory.getPlatformMBeanServer();\n"
            + "javax.management.ObjectName n = new javax.management.ObjectName(\"task:type=X\");\n"
            + "boolean was = s.isRegistered(n);\n"
            + "s.registerMBean(new javax.management.StandardMBean((Runnable) () -> {}, Runnable.class), n);\n"
            + "return was + \" \" + s.isRegistered(n) + \" \"\n"
            + "  + s.isRegistered(new javax.management.ObjectName(\"java.lang:type=Memory\"));";
    assertThat(call("BeansA", body)).isEqualTo("false true true");
    assertThat(call("BeansB", body)).isEqualTo("false true true");
  }

  @Test
  void namesOfFilesInUrlsAndDocumentsAreOfTheTasksFolder() throws Exception {
    Path classes =
        UserCode.compile(
            dir,
            UserCode.function(
                "Names",
                "String url = new String(new java.net.URL(\"file:here.xml\").openStream().readAllBytes());\n"
                    + "javax.xml.parsers.DocumentBuilder b =\n"
                    + "  javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder();\n"
                    + "return url + b.parse(\"here.xml\").getDocumentElement().getTagName()\n"
                    + "  + b.parse(new org.xml.sax.InputSource(\"here.xml\")).getDocumentElement().getTagName();"));
    try (Task task = new Task(dir, "names", classes)) {
      Files.writeString(task.work.resolve("here.xml"), "<a/>");
      assertThat(task.call("Names", "")).isEqualTo("<a/>aa");
    }
  }

  @Test
  void childrenThatInheritStreamsWriteToTheTasks() throws Exception {
    Path classes =
        UserCode.compile(
            dir,
            UserCode.function(
                "Child",
                "System.out.print(\"before \"); new ProcessBuilder(\"echo\", \"child\").inheritIO().start().waitFor();\n"
                    + "return \"\";"));
    Path out = dir.resolve("child.out");
    TaskProcess process =
        TaskProcess.builder("child")
            .environment(Map.of("PATH", System.getenv("PATH")))
            .workDir(dir)
            .stdout(append(out))
            .streamFiles(out, out)
            .listener(new Task(dir, "unused"))
            .build();
    TaskClassLoader loader =
        new TaskClassLoader("child", UserCode.urls(classes), getClass().getClassLoader());
    loader.bind(process);
    @SuppressWarnings("unchecked")
    java.util.function.Function<String, String> child =
        (java.util.function.Function<String, String>)
            loader.loadClass("Child").getConstructor().newInstance();
    Thread main = new Thread(process.threads(), () -> child.apply(""));
    main.start();
    main.join();
    process.close();
    assertThat(Files.readString(out)).isEqualTo("before child\n");
  }

  private static java.io.OutputStream append(Path file) throws IOException {
    return Files.newOutputStream(
        file, java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND);
  }
}
