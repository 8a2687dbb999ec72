// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskExit;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.rewrite.CallRewriter;
import org.mammoth.engine.isolation.standins.jvm.ProcessHook;

/** What the JDK's own code does with the process. */
final class SharedHooks {
  /** Makes threads on a thread of the common pool, and a pool of its own. */
  private static final String MAKES =
      "import java.util.concurrent.*; public class Makes implements java.util.function.Supplier<String> {"
          + " public String get() { ThreadGroup own = Thread.currentThread().getThreadGroup();"
          + " CompletableFuture<ThreadFactory> factory = new CompletableFuture<>();"
          + " CompletableFuture<Thread> plain = new CompletableFuture<>();"
          + " CompletableFuture<ThreadGroup> seen = new CompletableFuture<>();"
          + " CompletableFuture<ThreadGroup> made = new CompletableFuture<>();"
          + " ForkJoinPool.commonPool().execute(() -> { factory.complete(Executors.defaultThreadFactory());"
          + " plain.complete(new Thread(() -> {})); made.complete(new ThreadGroup(\"made\"));"
          + " seen.complete(Thread.currentThread().getThreadGroup()); });"
          + " ForkJoinPool pool = new ForkJoinPool(1);"
          + " ClassLoader loader = pool.submit(() -> Thread.currentThread().getContextClassLoader()).join();"
          + " pool.shutdown();"
          + " return (factory.join().newThread(() -> {}).getThreadGroup() == own) + \" \""
          + " + (plain.join().getThreadGroup() == own) + \" \" + (made.join().getParent() == own) + \" \""
          + " + (seen.join() == own) + \" \" + (loader == Makes.class.getClassLoader()); } }";

  private SharedHooks() {}

  /** Ways to end the JVM that nobody has rewritten, such as those in this class. */
  static void exits(Path folder) throws Exception {
    SharedJvm.require(ProcessHook.begin(), "the JDK does not ask");
    BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    for (Runnable end :
        List.<Runnable>of(() -> System.exit(7), () -> Runtime.getRuntime().halt(-1))) {
      TaskProcess task = ending(folder, ends);
      SharedJvm.in(
          task,
          () -> {
            try {
              end.run();
            } catch (TaskExit expected) {
              return null;
            }
            throw new AssertionError("goes on");
          });
    }
    SharedJvm.require(List.of("exit 7", "halt 255").equals(List.copyOf(ends)), "ended by " + ends);
  }

  /** What is made where no thread of the task's makes it. */
  @SuppressWarnings("unchecked")
  static void threads(Path folder) throws Exception {
    TaskProcess task = SharedJvm.newTask();
    URL[] urls = {SharedGaps.compiled(folder, MAKES).toUri().toURL()};
    try (TaskClassLoader loader =
        new TaskClassLoader(
            "job", urls, SharedHooks.class.getClassLoader(), CallRewriter.standard())) {
      loader.bind(task);
      String made =
          SharedJvm.in(
              task,
              () ->
                  ((Supplier<String>) loader.loadClass("Makes").getConstructor().newInstance())
                      .get());
      SharedJvm.require("true true true true true".equals(made), made);
    }
    task.close();
  }

  private static TaskProcess ending(Path folder, BlockingQueue<String> ends) throws Exception {
    return TaskProcess.builder("ending")
        .environment(Map.of())
        .workDir(Files.createTempDirectory(folder, "task"))
        .listener(
            new SharedJvm.Ignored() {
              @Override
              public void onExit(int status, boolean halt) {
                ends.add((halt ? "halt " : "exit ") + status);
              }
            })
        .build();
  }
}
