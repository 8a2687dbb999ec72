// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import java.net.URL;
import java.nio.file.Path;
import java.util.Locale;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.rewrite.CallRewriter;

/** Default locales and time zones that tasks set: each has its own, wherever the JDK asks. */
final class SharedDefaults {
  private static final String SETS =
      "import java.util.*; public class Sets implements java.util.function.Function<String, String> {"
          + " public String apply(String in) {"
          + " if (in.equals(\"reset\")) { TimeZone.setDefault(null); }"
          + " else if (in.equals(\"format\")) { Locale.setDefault(Locale.Category.FORMAT, Locale.FRANCE); }"
          + " else if (!in.isEmpty()) { Locale.setDefault(Locale.forLanguageTag(in));"
          + " TimeZone.setDefault(TimeZone.getTimeZone(\"Asia/Tokyo\")); }"
          + " try { Locale.setDefault(null); } catch (NullPointerException asEver) { in = in + \" \"; }"
          + " return String.format(\"%.1f\", 1.5) + \" \" + java.text.NumberFormat.getInstance().format(1.5) + \" \""
          + " + Locale.getDefault() + \" \" + Locale.getDefault(Locale.Category.DISPLAY) + \" \""
          + " + TimeZone.getDefault().getID() + \" \" + java.time.ZoneId.systemDefault() + \" \""
          + " + new java.text.SimpleDateFormat(\"HH\").format(new Date(0)) + \" \""
          + " + Calendar.getInstance().getTimeZone().getID() + \" \""
          + " + java.util.concurrent.CompletableFuture.supplyAsync(() -> Locale.getDefault().toString()).join();"
          + " } }";
  private static final String GERMAN =
      "1,5 1,5 de_DE de_DE Asia/Tokyo Asia/Tokyo 09 Asia/Tokyo de_DE";

  private SharedDefaults() {}

  static void check(Path folder) throws Exception {
    Locale locale = Locale.getDefault();
    TimeZone zone = TimeZone.getDefault();
    Locale.setDefault(Locale.US);
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    try {
      checkTasks(SharedGaps.compiled(folder, SETS));
      Object answers = Class.forName("java.util.MammothDefaults").getField("answers").get(null);
      SharedJvm.require(answers == null, "the JDK asks for tasks that have ended");
    } finally {
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }
  }

  private static void checkTasks(Path classes) throws Exception {
    String ofJvm = "1.5 1.5 en_US en_US UTC UTC 00 UTC en_US";
    try (Task sets = new Task(classes);
        Task other = new Task(classes);
        Task french = new Task(classes)) {
      expect(GERMAN, sets.call("de-DE"));
      expect(ofJvm, other.call(""));
      expect(GERMAN, sets.call(""));
      expect("1,5 1,5 en_US en_US UTC UTC 00 UTC en_US", french.call("format"));
      expect("1,5 1,5 de_DE de_DE UTC UTC 00 UTC de_DE", sets.call("reset"));
      expect(ofJvm, other.call(""));
      SharedJvm.require(Locale.getDefault().equals(Locale.US), "a task's locale is the JVM's");
    }
    try (Task next = new Task(classes)) {
      expect(ofJvm, next.call(""));
    }
    expectOfManyAtOnce(classes, ofJvm);
  }

  private static void expectOfManyAtOnce(Path classes, String ofJvm) throws Exception {
    ExecutorService both = Executors.newFixedThreadPool(2);
    try (Task sets = new Task(classes);
        Task other = new Task(classes)) {
      sets.call("de-DE");
      CompletableFuture<Void> first = CompletableFuture.runAsync(() -> repeat(sets, GERMAN), both);
      CompletableFuture<Void> second = CompletableFuture.runAsync(() -> repeat(other, ofJvm), both);
      first.get();
      second.get();
    } finally {
      both.shutdown();
    }
  }

  private static void repeat(Task task, String expected) {
    for (int i = 0; i < 200; i++) {
      try {
        expect(expected, task.call(""));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void expect(String expected, String seen) {
    SharedJvm.require(expected.equals(seen), "not " + expected + " but " + seen);
  }

  /** A task whose job has the class. */
  private static final class Task implements AutoCloseable {
    private final TaskProcess process;
    private final TaskClassLoader loader;

    Task(Path classes) throws Exception {
      process = SharedJvm.newTask();
      URL[] urls = {classes.toUri().toURL()};
      loader =
          new TaskClassLoader(
              "job", urls, SharedDefaults.class.getClassLoader(), CallRewriter.standard());
      loader.bind(process);
    }

    @SuppressWarnings("unchecked")
    String call(String in) throws Exception {
      return SharedJvm.in(
          process,
          () -> {
            Class<?> sets = loader.loadClass("Sets");
            return ((Function<String, String>) sets.getConstructor().newInstance()).apply(in);
          });
    }

    @Override
    public void close() throws Exception {
      process.close();
      loader.close();
    }
  }
}
