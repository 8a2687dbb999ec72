// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.VersionedProtocol;
import org.apache.hadoop.util.Daemon;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The threads of a task are known, ended and reported as the task's. */
@Timeout(60)
class ThreadsTest {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir static Path dir;
  static Path classes;

  @BeforeAll
  static void compile() throws Exception {
    classes =
        UserCode.compile(
            dir,
            UserCode.function(
                "LeftOver",
                "new Thread(new ThreadGroup(\"mine\"), () -> { try { Thread.sleep(100_000); }\n"
                    + "catch (InterruptedException e) { System.out.print(\"interrupted\"); } }, \"sleeper\").start();\n"
                    + "java.util.concurrent.Executors.newCachedThreadPool(r -> new Thread(r, \"pooled\")).submit(() -> 1).get();\n"
                    + "return \"done\";"),
            UserCode.function(
                "Uncaught",
                "Thread t = new Thread(() -> { throw new IllegalStateException(in); }, \"child\");\n"
                    + "t.start(); t.join(); return \"done\";"),
            UserCode.function(
                "Handled",
                "Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.out.print(t.getName() + e.getMessage()));\n"
                    + "Thread t = new Thread(() -> { throw new IllegalStateException(in); }, \"child\");\n"
                    + "t.start(); t.join(); return \"done\";"),
            UserCode.function(
                "Hungry",
                "Thread t = new Thread(() -> { throw new OutOfMemoryError(in); }, \"child\");\n"
                    + "t.start(); t.join(); return \"done\";"),
            UserCode.function(
                "Hooks",
                "Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.print(\"hook \" + System.getenv(\"WHO\"))));\n"
                    + "Thread gone = new Thread(() -> System.out.print(\"never\")); Runtime.getRuntime().addShutdownHook(gone);\n"
                    + "return \"\" + Runtime.getRuntime().removeShutdownHook(gone) + Runtime.getRuntime().removeShutdownHook(gone);"),
            UserCode.function(
                "SlowHook",
                "Runtime.getRuntime().addShutdownHook(new Thread(() -> { try { Thread.sleep(100_000); }\n"
                    + "catch (InterruptedException e) { System.out.print(\"cut\"); } }, \"slow\")); return \"\";"),
            "public class OwnThread extends Thread { static void quiet() {\n"
                + "  setDefaultUncaughtExceptionHandler((t, e) -> { }); } }",
            UserCode.function("Inherited", "OwnThread.quiet(); return \"\";"));
  }

  @Test
  void leftOverThreadsAreFoundInterruptedAndAwaited() throws Exception {
    try (Task task = new Task(dir, "left", classes)) {
      task.call("LeftOver", "");
      assertThat(task.process.liveThreads())
          .extracting(Thread::getName)
          .containsExactlyInAnyOrder("sleeper", "pooled");
      assertThat(task.process.awaitTermination(SHORT)).hasSize(2);
      task.process.interruptAll();
      task.process.liveThreads().stream()
          .filter(t -> t.getName().equals("sleeper"))
          .forEach(ThreadsTest::joined);
      List<Thread> alive = task.process.awaitTermination(SHORT);
      // A cached pool's worker shrugs an interrupt off, takes the next task and waits again.
      assertThat(alive).extracting(Thread::getName).doesNotContain("sleeper");
      assertThat(task.out.toString()).isEqualTo("interrupted");
    }
  }

  private static void joined(Thread thread) {
    try {
      thread.join(LONG.toMillis());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void nothingLeftIsSeenAtOnce() throws Exception {
    try (Task task = new Task(dir, "none", classes)) {
      CountDownLatch go = new CountDownLatch(1);
      Thread thread =
          task.start(
              "one",
              () -> {
                try {
                  go.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      assertThat(task.process.liveThreads()).containsExactly(thread);
      go.countDown();
      assertThat(task.process.awaitTermination(LONG)).isEmpty();
      assertThat(TaskProcess.ofOrNull(thread)).isNull();
    }
  }

  @Test
  void uncaughtExceptionsArePrintedAsAJvmPrintsThem() throws Exception {
    try (Task task = new Task(dir, "uncaught", classes)) {
      task.call("Uncaught", "boom");
      assertThat(task.err.toString())
          .startsWith(
              "Exception in thread \"child\" java.lang.IllegalStateException: boom\n\tat Uncaught.");
      assertThat(task.events)
          .containsExactly("uncaught java.lang.IllegalStateException: boom in child");
    }
  }

  @Test
  void aDefaultHandlerIsTheTasksOwn() throws Exception {
    try (Task a = new Task(dir, "handled", classes);
        Task b = new Task(dir, "other", classes)) {
      Thread.UncaughtExceptionHandler engines = Thread.getDefaultUncaughtExceptionHandler();
      a.call("Handled", "boom");
      a.call("Inherited", "");
      assertThat(a.out.toString()).isEqualTo("childboom");
      assertThat(a.err.toString()).isEmpty();
      assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(engines);
      b.call("Uncaught", "bang");
      assertThat(b.err.toString()).contains("bang");
    }
  }

  @Test
  void wantOfMemoryIsReportedAsSuch() throws Exception {
    try (Task task = new Task(dir, "hungry", classes)) {
      task.call("Hungry", "heap");
      assertThat(task.events).containsExactly("memory in child");
      assertThat(task.err.toString()).contains("java.lang.OutOfMemoryError: heap");
    }
  }

  @Test
  void shutdownHooksRunAtTheEnd() throws Exception {
    try (Task task = new Task(dir, "hooks", classes)) {
      assertThat(task.call("Hooks", "")).isEqualTo("truefalse");
      assertThat(task.out.toString()).isEmpty();
      assertThat(task.process.runShutdownHooks(() -> false)).isEmpty();
      assertThat(task.out.toString()).isEqualTo("hook hooks");
      assertThatThrownBy(() -> task.call("Hooks", ""))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("Shutdown in progress");
    }
  }

  @Test
  void aHookRunsUntilTheProcessIsKilled() throws Exception {
    try (Task task = new Task(dir, "slow", classes)) {
      task.call("SlowHook", "");
      long killedAt = System.nanoTime() + SHORT.toNanos();
      List<Thread> late = task.process.runShutdownHooks(() -> System.nanoTime() > killedAt);
      assertThat(System.nanoTime()).isGreaterThan(killedAt);
      assertThat(late).extracting(Thread::getName).containsExactly("slow");
      assertThat(late.get(0).isInterrupted()).as("before the process stands still").isFalse();
      late.get(0).interrupt();
      assertThat(task.process.awaitTermination(LONG)).isEmpty();
      assertThat(task.out.toString()).isEqualTo("cut");
    }
  }

  @Test
  void haltSkipsHooks() throws Exception {
    try (Task task = new Task(dir, "halted", classes)) {
      task.call("Hooks", "");
      assertThatThrownBy(() -> task.process.requestExit(1, true)).isInstanceOf(TaskExit.class);
      assertThat(task.process.runShutdownHooks(() -> false)).isEmpty();
      assertThat(task.out.toString()).isEmpty();
    }
  }

  @Test
  void aDaemonOfHadoopsIsSparedAndLosesTheTasksLoader() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicReference<Thread> daemon = new AtomicReference<>();
    Task task = new Task(dir, "shared", classes);
    task.start(
            "main",
            () -> {
              daemon.set(new Daemon(() -> assertThatCode(go::await).doesNotThrowAnyException()));
              daemon.get().start();
            })
        .join();
    assertThat(daemon.get().getThreadGroup()).isSameAs(task.process.threads());
    assertThat(daemon.get().getContextClassLoader()).isSameAs(task.loader);
    assertThat(task.process.liveThreads()).isEmpty();
    task.process.interruptAll();
    task.close();
    assertThat(daemon.get().isAlive()).isTrue();
    assertThat(daemon.get().getContextClassLoader()).isNotSameAs(task.loader);
    go.countDown();
    daemon.get().join();
    assertThat(task.events).isEmpty();
  }

  @Test
  void whatWatchesTheSocketsOfShortCircuitReadsIsNoTasks() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicReference<Thread> watcher = new AtomicReference<>();
    AtomicReference<Thread> alike = new AtomicReference<>();
    Runnable waits = () -> assertThatCode(go::await).doesNotThrowAnyException();
    Task task = new Task(dir, "watched", classes);
    task.start(
            "main",
            () -> {
              watcher.set(new Thread(waits, "client DomainSocketWatcher"));
              alike.set(new Thread(waits, "my DomainSocketWatcher"));
              watcher.get().start();
              alike.get().start();
            })
        .join();
    assertThat(task.process.liveThreads()).containsExactly(alike.get());
    go.countDown();
    watcher.get().join();
    alike.get().join();
    task.close();
  }

  /** Stands for a service as the NameNode, which tasks call over one connection of Hadoop's IPC. */
  @ProtocolInfo(protocolName = "org.mammoth.engine.isolation.Echo", protocolVersion = 1)
  public interface Echo extends VersionedProtocol {
    long versionID = 1;

    Text echo(Text text);
  }

  public static final class EchoServer implements Echo {
    @Override
    public Text echo(Text text) {
      return text;
    }

    @Override
    public long getProtocolVersion(String protocol, long clientVersion) {
      return versionID;
    }

    @Override
    public ProtocolSignature getProtocolSignature(String protocol, long client, int hash) {
      return new ProtocolSignature(versionID, null);
    }
  }

  @Test
  void aConnectionThatATaskOpenedServesOthersAfterTheTaskWasInterrupted() throws Exception {
    Configuration conf = new Configuration(false);
    conf.setInt("ipc.client.rpc-timeout.ms", 10_000);
    RPC.Server server =
        new RPC.Builder(conf)
            .setProtocol(Echo.class)
            .setInstance(new EchoServer())
            .setBindAddress("127.0.0.1")
            .setPort(0)
            .setNumHandlers(1)
            .build();
    server.start();
    Echo proxy = RPC.getProxy(Echo.class, Echo.versionID, server.getListenerAddress(), conf);
    try (Task task = new Task(dir, "caller", classes)) {
      task.start("main", () -> proxy.echo(new Text("from the task"))).join();
      Thread[] opened = new Thread[16];
      int threads = task.process.threads().enumerate(opened);
      assertThat(opened)
          .as("the connection's threads are in the task's group")
          .filteredOn(thread -> thread != null && thread.getName().startsWith("IPC "))
          .hasSize(threads)
          .hasSizeGreaterThanOrEqualTo(2);
      assertThat(task.process.liveThreads()).isEmpty();
      task.process.interruptAll();
      assertThat(task.process.awaitTermination(SHORT)).isEmpty();
      assertThat(proxy.echo(new Text("from another"))).hasToString("from another");
    } finally {
      RPC.stopProxy(proxy);
      server.stop();
    }
  }

  @Test
  void aClosedProcessLeavesNoGroupBehind() throws Exception {
    ThreadGroup parent = Thread.currentThread().getThreadGroup();
    int before = parent.activeGroupCount();
    Task task = new Task(dir, "groups", classes);
    task.call("Uncaught", "x");
    assertThat(parent.activeGroupCount()).isGreaterThan(before);
    task.close();
    task.close();
    assertThat(parent.activeGroupCount()).isEqualTo(before);
  }

  @Test
  void aThreadThatNeverStartsDoesNotKeepAGroupBehind() throws Exception {
    ThreadGroup parent = Thread.currentThread().getThreadGroup();
    int before = parent.activeGroupCount();
    CountDownLatch end = new CountDownLatch(1);
    Task task = new Task(dir, "unstarted", classes);
    Thread last =
        task.start(
            "last",
            () -> {
              new Thread("never started");
              awaitQuietly(end);
            });
    task.close();
    end.countDown();
    last.join();
    new Task(dir, "next", classes).close();
    assertThat(parent.activeGroupCount()).isEqualTo(before);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void threadsOfWatchServicesEndWithTheTask() throws Exception {
    String body =
        "var watch = java.nio.file.FileSystems.getDefault().newWatchService();\n"
            + "System.getProperties().put(\"kept\", watch);\n"
            + "java.nio.file.Path.of(\".\").register(watch,"
            + " java.nio.file.StandardWatchEventKinds.ENTRY_CREATE); return \"open\";";
    try (Task task =
        new Task(dir, "watches", UserCode.compile(dir, UserCode.function("Watches", body)))) {
      assertThat(task.call("Watches", "")).isEqualTo("open");
      assertThat(task.process.liveThreads()).hasSize(1);
      task.process.interruptAll();
      assertThat(task.process.awaitTermination(Duration.ofSeconds(20))).isEmpty();
    }
  }
}
