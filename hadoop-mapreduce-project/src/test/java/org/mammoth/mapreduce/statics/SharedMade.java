// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.rewrite.CallRewriter;

/** Classes that a job makes as it runs, or that loaders of its own define. */
final class SharedMade {

  private static final String CALLS =
      "String before = System.getProperty(\"made\"); System.setProperty(\"made\", \"seen\");"
          + " return before + ' ' + new java.io.File(\"\").getAbsolutePath()";

  /** What a plugin answers, and that it sees a class of the job. */
  private static final String PLUGIN =
      "public class Plugin implements java.util.function.Supplier<String> {"
          + " public String get() { "
          + CALLS
          + " + ' ' + Host.NAME; } }";

  private static final String ALONE =
      "public class Plugin implements java.util.function.Supplier<String> {"
          + " public String get() { "
          + CALLS
          + "; } }";

  private static final String QUIET =
      "public class Plugin implements java.util.function.Supplier<String> {"
          + " public String get() { return \"quiet\"; } }";

  /** As Groovy makes them: it names what the lack of a class is, too, and catches none. */
  private static final String CASTING =
      "public class Plugin implements java.util.function.Supplier<String> {"
          + " public String get() { Object made = new RuntimeException(\"quiet\");"
          + " return ((Throwable) made).getMessage(); } }";

  /** How a job comes to a class; the program's text sees its code and the URLs that have it. */
  private static final List<String> WAYS =
      List.of(
          "new java.net.URLClassLoader(urls, Host.class.getClassLoader()).loadClass(\"Plugin\")",
          "new java.net.URLClassLoader(urls).loadClass(\"Plugin\")",
          "new java.net.URLClassLoader(\"own\", urls, shared()).loadClass(\"Plugin\")",
          "new java.net.URLClassLoader(urls, shared(), null).loadClass(\"Plugin\")",
          "java.net.URLClassLoader.newInstance(urls).loadClass(\"Plugin\")",
          "java.net.URLClassLoader.newInstance(urls, shared()).loadClass(\"Plugin\")",
          "java.net.URLClassLoader.class.getConstructor(java.net.URL[].class)"
              + ".newInstance((Object) urls).loadClass(\"Plugin\")",
          "((ClassLoader) java.lang.invoke.MethodHandles.lookup().findConstructor("
              + "java.net.URLClassLoader.class, java.lang.invoke.MethodType.methodType("
              + "void.class, java.net.URL[].class)).invoke(urls)).loadClass(\"Plugin\")",
          "((java.util.function.Function<java.net.URL[], ClassLoader>)"
              + " java.net.URLClassLoader::new).apply(urls).loadClass(\"Plugin\")",
          "new Own().define(code)",
          "new Own(shared()).define(code)",
          "new ChildFirst(code).loadClass(\"Plugin\")",
          "java.lang.invoke.MethodHandles.lookup().defineClass(code)",
          "java.lang.invoke.MethodHandles.lookup().defineHiddenClass(code, true).lookupClass()");

  private static final String HOST =
      """
      public class Host {
        public static final String NAME = new String("host");
        static class Own extends ClassLoader {
          Own() {}
          Own(ClassLoader parent) { super(parent); }
          Class<?> define(byte[] code) { return defineClass(null, code, 0, code.length); }
        }
        static class ChildFirst extends java.security.SecureClassLoader {
          private final byte[] code;
          ChildFirst(byte[] code) { this.code = code; }
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals("Plugin")
                ? defineClass(name, code, 0, code.length, (java.security.CodeSource) null)
                : super.loadClass(name, resolve);
          }
        }
        static class Filter extends ClassLoader {
          private final byte[] code;
          Filter(byte[] code) { this.code = code; }
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals("Plugin")) return defineClass(name, code, 0, code.length);
            if (name.startsWith("java.")) return super.loadClass(name, resolve);
            throw new ClassNotFoundException(name);
          }
        }
        static ClassLoader shared() { return org.apache.hadoop.io.Text.class.getClassLoader(); }
        @SuppressWarnings("unchecked")
        public static String run(java.net.URL folder) throws Throwable {
          java.net.URL[] urls = {folder};
          byte[] code;
          try (java.io.InputStream in = new java.net.URL(folder, "Plugin.class").openStream()) {
            code = in.readAllBytes();
          }
          try {
            Class<?> type = %s;
            var made = type.getDeclaredConstructor();
            made.setAccessible(true);
            return ((java.util.function.Supplier<String>) made.newInstance()).get();
          } catch (NoClassDefFoundError e) {
            return "goes on after " + e;
          }
        }
      }
      """;

  private SharedMade() {}

  /** What they call of the process is the task's, however the job comes to them. */
  static void classes(Path folder) throws Exception {
    for (String way : WAYS) {
      for (int job = 0; job < 2; job++) {
        List<String> needs = new CopyOnWriteArrayList<>();
        TaskProcess task = SharedJvm.newTask(needs::add);
        Object answer = run(folder, way, PLUGIN, task);
        String expected = "null " + task.workDir() + " host";
        SharedJvm.require(
            expected.equals(answer) && needs.isEmpty(), way + ": " + answer + ' ' + needs);
        SharedJvm.require(System.getProperty("made") == null, way + " reaches the engine");
        task.close();
      }
    }
  }

  /** A loader that sees nothing of the engine may define what calls nothing of the process. */
  static void apart(Path folder) throws Exception {
    String way = "new Own(null).define(code)";
    List<String> needs = new CopyOnWriteArrayList<>();
    for (String plugin : List.of(QUIET, CASTING)) {
      Object quiet = run(folder, way, plugin, SharedJvm.newTask(needs::add));
      SharedJvm.require("quiet".equals(quiet) && needs.isEmpty(), quiet + " " + needs);
    }
    try {
      Object answer = run(folder, way, ALONE, SharedJvm.newTask(needs::add));
      throw new AssertionError("it is defined as it is: " + answer);
    } catch (java.util.concurrent.ExecutionException e) {
      SharedJvm.require(
          needs.equals(List.of("Host$Own defines Plugin where it cannot be rewritten")),
          e.getCause() + " " + needs);
    }
  }

  /** What a loader hides of the engine's, no code goes on without. */
  static void hidden(Path folder) throws Exception {
    List<String> needs = new CopyOnWriteArrayList<>();
    try {
      Object answer =
          run(
              folder,
              "new Filter(code).loadClass(\"Plugin\")",
              ALONE,
              SharedJvm.newTask(needs::add));
      throw new AssertionError("it goes on: " + answer);
    } catch (java.util.concurrent.ExecutionException e) {
      SharedJvm.require(
          needs.equals(List.of("a class loader of its own hides the engine's classes")),
          e.getCause() + " " + needs);
    }
  }

  private static Object run(Path folder, String way, String plugin, TaskProcess task)
      throws Exception {
    Path job = SharedGaps.compiled(folder, HOST.formatted(way).replace('\n', ' '));
    Path made = Files.createTempDirectory(folder, "made");
    SharedGaps.compile(made, plugin, job);
    URL[] urls = {job.toUri().toURL()};
    try (TaskClassLoader loader =
        new TaskClassLoader(
            "job", urls, SharedMade.class.getClassLoader(), CallRewriter.standard())) {
      loader.bind(task);
      Callable<Object> runs =
          () -> {
            Thread.currentThread().setContextClassLoader(loader);
            return loader
                .loadClass("Host")
                .getMethod("run", URL.class)
                .invoke(null, made.toUri().toURL());
          };
      return SharedJvm.in(task, runs);
    }
  }
}
