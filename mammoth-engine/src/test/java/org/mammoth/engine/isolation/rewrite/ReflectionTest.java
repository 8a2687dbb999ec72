// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.UserCode;

/** Members that user code looks up while it runs act for the task, and are the JDK's otherwise. */
@Timeout(60)
class ReflectionTest {
  @TempDir private Path dir;

  /** What a task answers, by code. */
  private static Map<String, String> ofTheTask() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(
        "return (String) System.class.getMethod(\"getenv\", String.class).invoke(null, \"WHO\");",
        "t");
    all.put(
        "return (String) System.class.getMethod(\"getProperty\", String.class).invoke(null, \"who\");",
        "t");
    all.put(
        "System.class.getMethod(\"setProperty\", String.class, String.class).invoke(null, \"a\", \"b\");"
            + "return System.getProperty(\"a\");",
        "b");
    all.put(
        "Object f = File.class.getConstructor(String.class).newInstance(\"x\");"
            + "return \"\" + ((File) f).exists();",
        "true");
    all.put(
        "try (Reader r = FileReader.class.getConstructor(String.class).newInstance(\"x\"))"
            + " { return \"\" + (char) r.read(); }",
        "x");
    all.put(
        "return (String) java.lang.invoke.MethodHandles.lookup().findStatic(System.class, \"getenv\","
            + " java.lang.invoke.MethodType.methodType(String.class, String.class)).invokeWithArguments(\"WHO\");",
        "t");
    all.put(
        "return (String) java.lang.invoke.MethodHandles.publicLookup().unreflect("
            + "System.class.getMethod(\"getenv\", String.class)).invokeWithArguments(\"WHO\");",
        "t");
    all.put(
        "Object r = java.lang.invoke.MethodHandles.lookup().findConstructor(FileReader.class,"
            + " java.lang.invoke.MethodType.methodType(void.class, String.class)).invokeWithArguments(\"x\");"
            + "return \"\" + (char) ((Reader) r).read();",
        "x");
    all.put(
        "Object p = java.lang.invoke.MethodHandles.lookup().findVirtual(Runtime.class, \"exec\","
            + " java.lang.invoke.MethodType.methodType(Process.class, String.class))"
            + ".invokeWithArguments(Runtime.getRuntime(), \"cat x\");"
            + "return new String(((Process) p).getInputStream().readAllBytes());",
        "x");
    return all;
  }

  /** Code that means the same everywhere. */
  private static Stream<String> ofAnyone() {
    return Stream.of(
        "class Own { private int n; private long w; private double d; private String s; }"
            + "Own o = new Own(); Class<?> c = Own.class;"
            + "c.getDeclaredField(\"n\").setInt(o, 3); c.getDeclaredField(\"w\").setLong(o, 4L);"
            + "c.getDeclaredField(\"d\").setDouble(o, .5); c.getDeclaredField(\"s\").set(o, in);"
            + "return o.n + o.w + o.d + o.s + c.getDeclaredField(\"n\").getInt(o)"
            + " + c.getDeclaredField(\"w\").getLong(o) + c.getDeclaredField(\"d\").get(o);",
        "java.lang.reflect.Method m = getClass().getDeclaredMethod(\"go\", String.class);"
            + "return in.equals(\"again\") ? in : (String) m.invoke(this, \"again\");",
        "return \"\" + String.class.getMethod(\"length\").invoke(in)"
            + " + String.class.getMethod(\"valueOf\", int.class).invoke(null, 7)"
            + " + ArrayList.class.getConstructor(Collection.class).newInstance(List.of(1, 2));",
        "try { String.class.getMethod(\"length\").invoke(null); return \"\"; }"
            + " catch (NullPointerException e) { return \"null\"; }",
        "try { File.class.getMethod(\"exists\").invoke(null); return \"\"; }"
            + " catch (NullPointerException e) { return \"null\"; }",
        "try { System.class.getMethod(\"getenv\", String.class).invoke(null, 3); return \"\"; }"
            + " catch (IllegalArgumentException e) { return \"type\"; }",
        "try { System.class.getMethod(\"getenv\", String.class).invoke(null, (Object) null); return \"\"; }"
            + " catch (java.lang.reflect.InvocationTargetException e) { return \"\" + e.getCause().getClass(); }",
        "try { System.class.getMethod(\"getProperty\", String.class).invoke(null, \"\"); return \"\"; }"
            + " catch (java.lang.reflect.InvocationTargetException e) { return \"\" + e.getCause().getClass(); }",
        "try { FileReader.class.getConstructor(String.class).newInstance(\"none\"); return \"\"; }"
            + " catch (java.lang.reflect.InvocationTargetException e) { return \"\" + e.getCause().getClass(); }",
        "try { String.class.getDeclaredField(\"hash\").getInt(in); return \"\"; }"
            + " catch (IllegalAccessException e) { return \"private\"; }",
        "return \"\" + Integer.class.getField(\"MAX_VALUE\").getInt(null)"
            + " + Long.class.getField(\"MIN_VALUE\").getLong(null) + File.class.getField(\"separator\").get(null);",
        "return \"\" + java.lang.invoke.MethodHandles.lookup().findVirtual(String.class, \"concat\","
            + " java.lang.invoke.MethodType.methodType(String.class, String.class)).invokeWithArguments(in, in)"
            + " + java.lang.invoke.MethodHandles.lookup().bind(in, \"length\","
            + " java.lang.invoke.MethodType.methodType(int.class)).invokeWithArguments();");
  }

  static Stream<String> codeOfTheTask() {
    return ofTheTask().keySet().stream();
  }

  static Stream<String> codeOfAnyone() {
    return ofAnyone();
  }

  private Path compile(String body) throws Exception {
    String safe =
        "try {"
            + body
            + "} catch (Exception e) { throw e; } catch (Throwable e) { throw new Error(e); }";
    return UserCode.compile(dir, UserCode.function("Reflect", safe));
  }

  @ParameterizedTest
  @MethodSource("codeOfTheTask")
  void isTheTasks(String body) throws Exception {
    try (Task task = new Task(dir, "t", compile(body))) {
      Files.writeString(task.work.resolve("x"), "x");
      assertThat(task.call("Reflect", "in")).isEqualTo(ofTheTask().get(body));
    }
  }

  @ParameterizedTest
  @MethodSource("codeOfAnyone")
  void isAsEverywhere(String body) throws Exception {
    Path classes = compile(body);
    try (Task task = new Task(dir, "t", classes);
        URLClassLoader plain = new URLClassLoader(UserCode.urls(classes))) {
      assertThat(task.call("Reflect", "in")).isNotEmpty().isEqualTo(plain(plain).apply("in"));
    }
  }

  @SuppressWarnings("unchecked")
  private static Function<String, String> plain(ClassLoader loader)
      throws ReflectiveOperationException {
    return (Function<String, String>) loader.loadClass("Reflect").getConstructor().newInstance();
  }

  @ParameterizedTest
  @MethodSource("exits")
  void endsTheTask(String body) throws Exception {
    try (Task task = new Task(dir, "t", compile(body + "return in;"))) {
      assertThatThrownBy(() -> task.call("Reflect", ""))
          .satisfiesAnyOf(
              e -> assertThat(e).isInstanceOf(TaskExit.class),
              e -> assertThat(e).hasRootCauseInstanceOf(TaskExit.class));
      assertThat(task.events).containsExactly("exit 3");
    }
  }

  static Stream<String> exits() {
    return Stream.of(
        "System.class.getMethod(\"exit\", int.class).invoke(null, 3);",
        "Runtime.class.getMethod(\"exit\", int.class).invoke(Runtime.getRuntime(), 3);",
        "java.lang.invoke.MethodHandles.lookup().findStatic(System.class, \"exit\","
            + " java.lang.invoke.MethodType.methodType(void.class, int.class)).invokeWithArguments(3);");
  }
}
