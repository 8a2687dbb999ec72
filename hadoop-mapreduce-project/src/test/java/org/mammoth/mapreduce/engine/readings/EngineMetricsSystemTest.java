// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.readings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.annotation.Metric;
import org.apache.hadoop.metrics2.annotation.Metrics;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.sink.FileSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.TaskProcess;

class EngineMetricsSystemTest {

  @Metrics(context = "test")
  private static final class Work {
    @Metric MutableCounterLong done;
  }

  private final MetricsSystem metrics = new EngineMetricsSystem(new MetricsSystemImpl());

  @TempDir private Path classPath;

  /** What a task needs a process for as it does this, which then ends it. */
  private List<String> needs(Runnable deed) throws IOException, InterruptedException {
    List<String> needs = new ArrayList<>();
    TaskProcess.Listener listener =
        new TaskProcess.Listener() {
          @Override
          public void onExit(int status, boolean halt) {
            needs.add("exit " + status);
          }

          @Override
          public void onProcessNeeded(String what) {
            needs.add(what);
          }

          @Override
          public void onUncaught(Thread thread, Throwable error) {
            needs.add(error.toString());
          }

          @Override
          public void onOutOfMemory(Thread thread, OutOfMemoryError error) {
            needs.add(error.toString());
          }
        };
    TaskProcess task = TaskProcess.builder("attempt").workDir(classPath).listener(listener).build();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classPath.toUri().toURL()}, null)) {
      Thread main = new Thread(task.threads(), deed);
      main.setContextClassLoader(loader);
      main.start();
      main.join();
    }
    return needs;
  }

  private void write(String file, String... lines) throws IOException {
    Files.write(classPath.resolve(file), List.of(lines));
  }

  @Test
  void sourcesOfATaskAreItsOwn() throws Exception {
    assertThat(
            needs(
                () -> {
                  metrics.init("MapTask");
                  metrics.register("Work", "of a task", new Work());
                  if (metrics.getSource("Work") == null) {
                    throw new IllegalStateException("not registered");
                  }
                }))
        .isEmpty();
    assertThat(metrics.getSource("Work")).isNull();
  }

  @Test
  void aTaskThatRegistersASinkNeedsAProcess() throws Exception {
    assertThat(needs(() -> metrics.register("File", "of a task", new FileSink())))
        .containsExactly("it registers a sink of metrics, " + FileSink.class.getName());
  }

  @Test
  void aTaskWhoseKindHasASinkNeedsAProcess() throws Exception {
    write("hadoop-metrics2.properties", "maptask.sink.file.filename=maps.out", "*.period=10");
    assertThat(needs(() -> metrics.init("MapTask")))
        .containsExactly(
            "its metrics go to a sink: maptask.sink.file.filename in hadoop-metrics2.properties");
    assertThat(needs(() -> metrics.init("ReduceTask"))).isEmpty();
  }

  @Test
  void theFileOfAKindGoesBeforeThatOfAll() throws Exception {
    write("hadoop-metrics2.properties", "maptask.sink.file.filename=maps.out");
    write("hadoop-metrics2-maptask.properties", "*.period=10");
    assertThat(needs(() -> metrics.init("MapTask"))).isEmpty();
  }
}
