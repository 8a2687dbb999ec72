// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.RunningJob;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.streaming.StreamJob;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.compat.cluster.MiniCluster;

/**
 * What tasks start ends with them and counts against their memory, in an engine as in ordinary
 * containers. The tasks are streaming's, whose programs are children.
 */
class ChildrenIT {

  private static final String COUNTERS = "org.mammoth.mapreduce.MammothCounter";
  private static final String FALLBACKS = "ENGINE_FALLBACKS";
  private static final Duration SOON = Duration.ofSeconds(60);

  /** As on a cluster, where the mini cluster's settings leave it out. */
  private static final Map<String, String> LIMITS =
      Map.of(
          "yarn.nodemanager.pmem-check-enabled", "true",
          "yarn.nodemanager.resource.memory.enforced", "false",
          "yarn.app.mapreduce.am.resource.mb", "1024");

  @TempDir private static java.nio.file.Path home;

  private static MiniCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        new MiniCluster(home, "org.mammoth.mapreduce.nodemanager.MammothContainerExecutor", LIMITS);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatATaskLeavesIsEnded(boolean engine) throws Exception {
    Streaming job = new Streaming("left-" + engine, engine);
    RunningJob ran = job.run("sleep 300 >/dev/null 2>&1 & note $!; cat");
    assertThat(ran.isSuccessful()).isTrue();
    await().atMost(SOON).until(job::hasEnded);
    if (engine) {
      assertThat(job.fallbacks()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void childrenOfAKilledTaskEnd(boolean engine) throws Exception {
    Streaming job = new Streaming("killed-" + engine, engine);
    RunningJob running = job.start("note $$; trap '' TERM; while :; do sleep 1; done");
    assertThat(job.hasEnded()).isFalse();
    running.killJob();
    await().atMost(SOON).until(job::hasEnded);
    await().atMost(SOON).until(running::isComplete);
  }

  @Test
  void childrenOfAnEngineThatDiesEnd() throws Exception {
    Streaming job = new Streaming("orphans", true);
    RunningJob running = job.start("note $$; while :; do sleep 1; done");
    ProcessHandle child = ProcessHandle.of(job.pid()).orElseThrow();
    child.parent().orElseThrow().destroyForcibly();
    await().atMost(SOON).until(() -> !child.isAlive());
    running.killJob();
    await().atMost(SOON).until(running::isComplete);
  }

  /** Its group would be the engine's, and that of the children of all tasks. */
  @Test
  void oneThatSignalsItsGroupReachesNobodyElse() throws Exception {
    Streaming other = new Streaming("beside", true);
    RunningJob running = other.start("note $$; while :; do sleep 1; done");
    ProcessHandle child = ProcessHandle.of(other.pid()).orElseThrow();
    ProcessHandle engine = child.parent().orElseThrow();
    Streaming job = new Streaming("group", true);
    try {
      assertThat(job.run("note $$; kill -9  0; sleep 100").isSuccessful()).isFalse();
      assertThat(engine.isAlive()).isTrue();
      assertThat(child.isAlive()).isTrue();
    } finally {
      running.killJob();
      await().atMost(SOON).until(running::isComplete);
    }
    assertThat(engine.isAlive()).isTrue();
  }

  /** As in the process group of a container, though nothing tells whose it is. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatWasStartedWithoutTheEnvironmentEnds(boolean engine) throws Exception {
    Streaming job = new Streaming("bare-" + engine, engine);
    RunningJob ran = job.run("env -i sleep 300 </dev/null >/dev/null 2>&1 & note $!; cat");
    assertThat(ran.isSuccessful()).isTrue();
    await().atMost(SOON).until(job::hasEnded);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void memoryOfChildrenIsLimited(boolean engine) throws Exception {
    Streaming job = new Streaming("memory-" + engine, engine);
    // tail keeps what nobody reads
    RunningJob ran =
        job.run("note $$; head -c 1500000000 /dev/zero | tail -c 1400000000 | sleep 300");
    assertThat(ran.isSuccessful()).isFalse();
    await().atMost(SOON).until(job::hasEnded);
    assertThat(String.join("\n", job.diagnostics(ran)))
        .contains(engine ? "its container" : "'PHYSICAL' memory limit")
        .contains("tail -c 1400000000");
  }

  /** A job of one map, whose mapper is a shell script. */
  private static final class Streaming {
    private final String tag;
    private final Configuration conf;
    private final java.nio.file.Path folder;

    Streaming(String name, boolean engine) throws IOException {
      this.tag = "children-" + name;
      this.folder = Files.createDirectories(cluster.home().resolve(tag));
      this.conf = cluster.conf();
      conf.set("mapreduce.job.tags", tag);
      conf.setBoolean("mammoth.engine.enabled", engine);
      conf.setInt("mapreduce.map.maxattempts", 1);
      conf.setInt("mapreduce.job.maps", 1);
      conf.setInt("mapreduce.map.memory.mb", 512);
      conf.set("mapreduce.map.java.opts", "-Xmx200m");
    }

    RunningJob start(String script) throws Exception {
      String note = "note() { echo $1 >'" + folder + "/new'; mv '" + folder + "/new' '";
      Files.writeString(folder.resolve("map.sh"), note + folder + "/pid'; }\n" + script + "\n");
      Path input = new Path("/" + tag + "/input/text");
      try (OutputStream out = cluster.fs().create(input)) {
        out.write("the cat\n".getBytes(StandardCharsets.UTF_8));
      }
      String[] arguments = {
        "-files",
        folder.resolve("map.sh").toString(),
        "-input",
        input.toString(),
        "-output",
        "/" + tag + "/output",
        "-mapper",
        "sh map.sh",
        "-reducer",
        "NONE",
        "-background"
      };
      assertThat(ToolRunner.run(conf, new StreamJob(), arguments)).isZero();
      JobID id = JobID.downgrade(TypeConverter.fromYarn(application()));
      return new JobClient(new JobConf(conf)).getJob(id);
    }

    RunningJob run(String script) throws Exception {
      RunningJob job = start(script);
      job.waitForCompletion();
      return job;
    }

    private ApplicationId application() {
      return cluster.applications(tag).get(0);
    }

    /** The process that the script has written down; waits for it. */
    long pid() throws IOException {
      java.nio.file.Path pid = folder.resolve("pid");
      await().atMost(SOON).until(() -> Files.exists(pid));
      return Long.parseLong(Files.readString(pid).trim());
    }

    /** Whether that process is gone. */
    boolean hasEnded() throws IOException {
      return ProcessHandle.of(pid()).filter(ProcessHandle::isAlive).isEmpty();
    }

    List<String> diagnostics(RunningJob ran) throws IOException {
      List<String> all = new ArrayList<>();
      for (TaskCompletionEvent event : ran.getTaskCompletionEvents(0)) {
        all.addAll(Arrays.asList(ran.getTaskDiagnostics(event.getTaskAttemptId())));
      }
      return all;
    }

    long fallbacks() throws Exception {
      return cluster.counters(application()).findCounter(COUNTERS, FALLBACKS).getValue();
    }
  }
}
