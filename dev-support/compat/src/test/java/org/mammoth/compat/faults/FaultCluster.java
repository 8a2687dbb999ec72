// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.api.status.MemoryUse;
import org.mammoth.compat.cluster.EngineBean;
import org.mammoth.compat.cluster.Engines;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;

/** A cluster of its own for faults, whose engines have little memory, and what they say. */
final class FaultCluster implements AutoCloseable {
  private static final String EXECUTOR =
      "org.mammoth.mapreduce.nodemanager.MammothContainerExecutor";

  /** How long what has ended may take to be forgotten by all. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * Six containers and 12 MiB of cache pool on each node: jobs of some 30 MB spill, and have their
   * memory revoked.
   */
  static final Map<String, String> LITTLE_MEMORY =
      Map.ofEntries(
          Map.entry("yarn.nodemanager.resource.memory-mb", "3072"),
          Map.entry("mammoth.engine.memory-mb", "3072"),
          Map.entry("mammoth.engine.java.opts", MiniCluster.engineOptions("500m")),
          Map.entry("mammoth.memory.unit-kb", "256"),
          Map.entry("mammoth.memory.pool-fraction", "0.004"),
          Map.entry("mammoth.memory.element-kb", "256"),
          Map.entry("mammoth.memory.element-queue-mb", "1"),
          Map.entry("yarn.scheduler.capacity.maximum-am-resource-percent", "0.9"),
          // A job's memory goes when its folders go.
          Map.entry("yarn.nodemanager.delete.debug-delay-sec", "0"),
          Map.entry("yarn.log-aggregation-enable", "false"));

  private final MiniCluster cluster;
  private final JobCode code;
  private final Map<Long, EngineBean> beans = new HashMap<>();

  /** Which engine did not answer the last time one did not, and why. */
  private String silence = "";

  private FaultCluster(MiniCluster cluster, JobCode code) {
    this.cluster = cluster;
    this.code = code;
  }

  /** Starts as many nodes as there are settings. */
  static FaultCluster start(
      String name, Map<String, String> extra, List<Map<String, String>> perNode)
      throws IOException, InterruptedException {
    Path home =
        Path.of(System.getProperty("java.io.tmpdir"), name + "-" + ProcessHandle.current().pid());
    Map<String, String> all = new HashMap<>(LITTLE_MEMORY);
    all.putAll(extra);
    MiniCluster cluster = new MiniCluster(home, EXECUTOR, all, perNode);
    return new FaultCluster(
        cluster, JobCode.ofThisModule(home.resolve("jars").resolve("faults.jar")));
  }

  MiniCluster cluster() {
    return cluster;
  }

  JobCode code() {
    return code;
  }

  /** This cluster's engines; those of other suites may still be there. */
  List<ProcessHandle> engines() {
    return Engines.running().stream()
        .filter(engine -> Engines.home(engine).startsWith(cluster.home()))
        .toList();
  }

  /** What each engine says of itself; of those that die meanwhile, nothing. */
  List<EngineSnapshot> snapshots() {
    List<EngineSnapshot> all = new ArrayList<>();
    for (ProcessHandle engine : engines()) {
      try {
        EngineBean bean = beans.get(engine.pid());
        if (bean == null) {
          bean = EngineBean.of(engine);
          beans.put(engine.pid(), bean);
        }
        all.add(bean.snapshot());
      } catch (IOException | InterruptedException e) {
        // It is not up yet, or just going down; assertClean and others say if it stays so.
        beans.remove(engine.pid());
        silence = engine.pid() + ": " + e;
      }
    }
    return all;
  }

  /** The engine in which an attempt runs. */
  ProcessHandle engineOf(String attempt) {
    return Awaitility.await("the engine of " + attempt)
        .atMost(PATIENCE)
        .until(
            () ->
                snapshots().stream()
                    .filter(
                        one ->
                            one.tasks().stream().anyMatch(task -> task.attempt().equals(attempt)))
                    .findFirst()
                    .flatMap(one -> ProcessHandle.of(one.pid()))
                    .orElse(null),
            engine -> engine != null);
  }

  /** Nothing is left of any job in any engine, and the engines are well. */
  void assertClean() {
    Awaitility.await("no leases after the job")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> {
              List<EngineSnapshot> all = snapshots();
              assertThat(all)
                  .as("engines that answer, not so the last time: %s", silence)
                  .hasSameSizeAs(engines());
              all.forEach(FaultCluster::assertClean);
            });
  }

  private static void assertClean(EngineSnapshot engine) {
    MemoryUse memory = engine.memory();
    String who = engine.engineId();
    assertThat(engine.draining()).as(who).isEmpty();
    assertThat(engine.tasks()).as(who).isEmpty();
    assertThat(engine.counts().lingering()).as(who).isZero();
    assertThat(memory.leases())
        .as(who)
        .allMatch(lease -> lease.kind().equals("ELEMENT") || lease.attempt().equals("input"));
    assertThat(memory.poolUsedBytes()).as(who).isZero();
    assertThat(memory.ioBesideBytes()).as(who).isZero();
    assertThat(memory.waiters()).as(who).isEmpty();
    assertThat(memory.jobs()).as(who).isEmpty();
    assertThat(engine.elements().lentSlabs()).as(who).isZero();
    assertThat(engine.send().outputs()).as(who).isZero();
  }

  @Override
  public void close() {
    beans.values().forEach(EngineBean::close);
    List<ProcessHandle> engines = engines();
    cluster.close();
    engines.forEach(Engines::kill);
  }
}
