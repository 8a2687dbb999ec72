// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.TaskProcess;

/** Each task's lines are in its own files, the engine's with the engine. */
@Timeout(60)
class TaskLogsTest {
  private static final String LAYOUT =
      "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{3} (DEBUG|INFO|WARN) \\[[^]]+] [\\w.]+: .*";

  @TempDir Path dir;
  private final Engine engine = new Engine();
  private final Logger root = Logger.getLogger("org.mammoth.test");
  private final TaskLogAppender appender = new TaskLogAppender(engine);

  private static final class Engine extends AppenderSkeleton {
    final List<String> messages = new CopyOnWriteArrayList<>();

    @Override
    protected void append(LoggingEvent event) {
      messages.add(event.getRenderedMessage());
    }

    @Override
    public void close() {}

    @Override
    public boolean requiresLayout() {
      return false;
    }
  }

  private static final class Quiet implements TaskProcess.Listener {
    @Override
    public void onExit(int status, boolean halt) {}

    @Override
    public void onProcessNeeded(String what) {}

    @Override
    public void onUncaught(Thread thread, Throwable error) {}

    @Override
    public void onOutOfMemory(Thread thread, OutOfMemoryError error) {}
  }

  @BeforeEach
  void install() {
    root.setAdditivity(false);
    root.setLevel(Level.DEBUG);
    root.addAppender(appender);
  }

  @AfterEach
  void remove() {
    root.removeAllAppenders();
  }

  private TaskProcess process(String name) {
    return TaskProcess.builder(name).workDir(dir).listener(new Quiet()).build();
  }

  private static Thread run(TaskProcess process, Runnable body) {
    Thread thread = new Thread(process.threads(), body, process.name() + "-main");
    thread.start();
    return thread;
  }

  /** A thread that outlives its process: a group takes no new ones once it is closed. */
  private static final class Late {
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    Late(TaskProcess process, Runnable body) {
      thread =
          run(
              process,
              () -> {
                try {
                  closed.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                body.run();
              });
    }

    void go() throws InterruptedException {
      closed.countDown();
      thread.join();
    }
  }

  @Test
  void linesOfTwoTasksAtOnceNeverMix() throws Exception {
    List<TaskProcess> tasks = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      TaskProcess p = process(name);
      p.logs(TaskLogs.of(LogFile.open(dir.resolve(name)), Level.INFO));
      tasks.add(p);
      threads.add(
          run(
              p,
              () -> {
                for (int i = 0; i < 500; i++) {
                  root.info("from " + name + " " + i);
                  root.debug("below the threshold");
                }
              }));
    }
    for (int i = 0; i < 100; i++) {
      root.info("engine");
    }
    for (Thread t : threads) {
      t.join();
    }
    tasks.forEach(TaskProcess::close);
    for (String name : List.of("a", "b")) {
      assertThat(Files.readAllLines(dir.resolve(name)))
          .hasSize(500)
          .allMatch(line -> line.matches(LAYOUT))
          .allMatch(
              line ->
                  line.contains("INFO [" + name + "-main] org.mammoth.test: from " + name + " "));
    }
    assertThat(engine.messages).hasSize(100).containsOnly("engine");
  }

  @Test
  void aReducesShuffleHasAFileOfItsOwn() throws Exception {
    TaskProcess p = process("reduce");
    p.logs(
        TaskLogs.of(
            LogFile.open(dir.resolve("syslog")),
            LogFile.open(dir.resolve("syslog.shuffle")),
            Level.DEBUG));
    List<String> shuffle =
        List.of(
            "org.apache.hadoop.mapreduce.task.reduce.Fetcher",
            "org.apache.hadoop.mapred.Merger",
            "org.mammoth.mapreduce.shuffle.MammothShuffle");
    List<String> rest =
        List.of(
            "org.apache.hadoop.mapred.MergerX",
            "org.apache.hadoop.mapred.ReduceTask",
            "org.mammoth.mapreduce.map.MapOutput");
    run(
            p,
            () -> {
              for (String name : shuffle) {
                say(name);
              }
              for (String name : rest) {
                say(name);
              }
            })
        .join();
    p.close();
    assertThat(Files.readAllLines(dir.resolve("syslog.shuffle")))
        .extracting(l -> l.split(" ")[4])
        .containsExactlyElementsOf(shuffle.stream().map(name -> name + ":").toList());
    assertThat(Files.readAllLines(dir.resolve("syslog")))
        .extracting(l -> l.split(" ")[4])
        .containsExactlyElementsOf(rest.stream().map(name -> name + ":").toList());
  }

  private void say(String name) {
    Logger logger = Logger.getLogger(name);
    logger.setAdditivity(false);
    logger.setLevel(Level.DEBUG);
    logger.addAppender(appender);
    logger.debug("said");
    logger.removeAppender(appender);
    logger.setAdditivity(true);
  }

  @Test
  void filesExistThoughNothingIsSaidAndStackTracesAreWhole() throws Exception {
    TaskProcess p = process("quiet");
    p.logs(
        TaskLogs.of(
            LogFile.open(dir.resolve("syslog")),
            LogFile.open(dir.resolve("syslog.shuffle")),
            Level.WARN));
    assertThat(dir.resolve("syslog")).isEmptyFile();
    assertThat(dir.resolve("syslog.shuffle")).isEmptyFile();
    run(p, () -> root.warn("bad", new IllegalStateException("why"))).join();
    assertThat(Files.readAllLines(dir.resolve("syslog")))
        .as("on disk before the log is closed")
        .hasSizeGreaterThan(2)
        .contains("java.lang.IllegalStateException: why");
    Late late = new Late(p, () -> root.warn("too late"));
    p.close();
    late.go();
    assertThat(dir.resolve("syslog")).content().doesNotContain("too late");
    assertThat(engine.messages).isEmpty();
  }

  @Test
  void standardStreamsFollowTheCaller() throws Exception {
    ByteArrayOutputStream own = new ByteArrayOutputStream();
    ByteArrayOutputStream task = new ByteArrayOutputStream();
    PrintStream router = TaskStreams.out(new PrintStream(own, true));
    TaskProcess p =
        TaskProcess.builder("t").workDir(dir).stdout(task).listener(new Quiet()).build();
    run(
            p,
            () -> {
              router.println("task");
              router.printf("%d%n", 7);
              router.append("x").print('y');
              router.write('z');
              router.write(new byte[] {'!', '\n'}, 0, 2);
              router.close();
              router.println(new char[] {'e', 'n', 'd'});
            })
        .join();
    router.print("engine");
    Late late = new Late(p, () -> router.print("late"));
    p.close();
    late.go();
    router.print(" still");
    assertThat(task.toString()).isEqualTo("task\n7\nxyz!\nend\n");
    assertThat(own.toString()).isEqualTo("engine still");
  }
}
