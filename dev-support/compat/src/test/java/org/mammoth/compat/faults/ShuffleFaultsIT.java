// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskType;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.mammoth.compat.cluster.Engines;
import org.mammoth.compat.faults.TotalsRun.Shape;

/**
 * Faults of tasks, engines, wires and disks while map output is sorted, pushed and merged on two
 * nodes: the job's output is right, or the job fails with a clear error; nothing stays leased.
 *
 * <p>{@code mammoth.compat.faults} says how often each, {@code mammoth.compat.seed} at which
 * moments.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShuffleFaultsIT {
  private static final int ROUNDS = Integer.getInteger("mammoth.compat.faults", 1);
  private static final long SEED = Long.getLong("mammoth.compat.seed", 5);
  private static final int LAST = 11;
  private static final String LAST_END = "m-" + LAST + "-end";

  /** 28 MB of map output; the pool of the one node has 12 MiB, that of the other 61. */
  private static final Shape SHAPE = new Shape(LAST + 1, 3, 20_000, 5_000, 100);

  /** Six maps of 7 MB each, which do not fit into the smaller pool. */
  private static final Shape LARGE_MAPS = new Shape(6, 3, 60_000, 5_000, 100);

  /** What starts the engines. */
  private static final Shape FIRST = new Shape(6, 1, 100, 10, 100);

  private static final Map<String, String> QUICK =
      Map.of(
          "mapreduce.job.reduce.slowstart.completedmaps", "0.05",
          // Upstream's fetchers leave a host alone for ten seconds after each failure.
          "mapreduce.reduce.shuffle.retry-delay.max.ms", "1000");

  private FaultCluster cluster;

  @BeforeAll
  void start() throws Exception {
    cluster =
        FaultCluster.start(
            "shuffle-faults",
            Map.of(),
            // One node spills, the other one has room for what is pushed to it.
            List.of(Map.of(), Map.of("mammoth.memory.pool-fraction", "0.02")));
    anEngineOnEachNode();
    cluster.assertClean();
  }

  /** The fault before may have killed one. */
  private void anEngineOnEachNode() throws Exception {
    runOnBothNodes(FIRST, Map.of()).assertRight();
    assertThat(cluster.engines()).as("engines").hasSize(2);
  }

  /**
   * No map ends before more of them run than one node has room for.
   *
   * @param later gates that are opened later
   */
  private TotalsRun runOnBothNodes(Shape shape, Map<String, String> more, String... later)
      throws Exception {
    List<String> gates = IntStream.range(0, 6).mapToObj(map -> "m-" + map + "-start").toList();
    List<String> all = new ArrayList<>(gates);
    all.addAll(List.of(later));
    TotalsRun run = run(shape, String.join(",", all), more);
    gates.forEach(run::reached);
    for (String gate : gates) {
      run.open(gate);
    }
    return run;
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  /** One round of a fault; tells what came of it. */
  private interface Fault {
    String happens(int round, Random random) throws Exception;
  }

  private void rounds(String name, Fault fault) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(SEED + round);
      long start = System.nanoTime();
      String verdict = fault.happens(round, random);
      long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      cluster.assertClean();
      System.out.printf(
          "%s, round %d of %d, seed %d, %d ms: %s%n", name, round + 1, ROUNDS, SEED, took, verdict);
    }
  }

  private TotalsRun run(String gates) throws Exception {
    return run(gates, Map.of());
  }

  private TotalsRun run(String gates, Map<String, String> more) throws Exception {
    return run(SHAPE, gates, more);
  }

  private TotalsRun run(Shape shape, String gates, Map<String, String> more) throws Exception {
    Map<String, String> all = new HashMap<>(QUICK);
    all.putAll(more);
    return TotalsRun.submit(cluster, shape, SEED, gates, all);
  }

  private static String books(TotalsRun run) throws Exception {
    return "right output, "
        + run.ways()
        + ", failed maps "
        + run.counter(JobCounter.NUM_FAILED_MAPS)
        + ", failed reduces "
        + run.counter(JobCounter.NUM_FAILED_REDUCES)
        + ", killed maps "
        + run.counter(JobCounter.NUM_KILLED_MAPS)
        + ", killed reduces "
        + run.counter(JobCounter.NUM_KILLED_REDUCES)
        + ", failed fetches "
        + run.counter(TaskCounter.FAILED_SHUFFLE);
  }

  /** Waits until reduces of a job hold what another node sent them. */
  private void receiving(TotalsRun run) {
    Awaitility.await("reduces that receive")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .until(
            () ->
                cluster.snapshots().stream()
                    .flatMap(engine -> engine.memory().leases().stream())
                    .anyMatch(
                        lease ->
                            lease.job().equals(run.jobId()) && lease.kind().equals("RECEIVE")));
  }

  private static void pause(int millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  @Test
  void reduceKilledWhileItReceives() throws Exception {
    rounds(
        "reduce killed while it receives",
        (round, random) -> {
          TotalsRun run = run(LAST_END);
          receiving(run);
          pause(random.nextInt(300));
          String victim = run.attempt(TaskType.REDUCE, random.nextInt(SHAPE.reduces()), 0);
          TaskAttemptID id = TaskAttemptID.forName(victim);
          boolean fail = round % 2 == 1;
          if (fail) {
            run.job().failTask(id);
          } else {
            run.job().killTask(id);
          }
          run.open(LAST_END);
          run.assertRight();
          assertThat(
                  run.counter(JobCounter.NUM_KILLED_REDUCES)
                      + run.counter(JobCounter.NUM_FAILED_REDUCES))
              .isPositive();
          return victim + (fail ? " failed, " : " killed, ") + books(run);
        });
  }

  @Test
  void mapRunAgainAfterAPartOfItWasPushed() throws Exception {
    rounds(
        "map run again after a push",
        (round, random) -> {
          TotalsRun run = run(LAST_END);
          run.mapsDone(1 + random.nextInt(LAST));
          receiving(run);
          String what;
          if (round % 2 == 0) {
            var done =
                List.of(run.job().getTaskCompletionEvents(0, 100)).stream()
                    .filter(event -> event.isMapTask())
                    .toList();
            TaskAttemptID victim = done.get(random.nextInt(done.size())).getTaskAttemptId();
            run.job().killTask(victim);
            Awaitility.await("the map's second attempt")
                .atMost(Duration.ofSeconds(30))
                .until(() -> run.counter(JobCounter.TOTAL_LAUNCHED_MAPS) > SHAPE.maps());
            what = victim + " declared lost, ";
          } else {
            List<ProcessHandle> engines = cluster.engines();
            ProcessHandle victim = engines.get(random.nextInt(engines.size()));
            Engines.kill(victim);
            what = "engine " + victim.pid() + " killed, ";
          }
          run.open(LAST_END);
          run.assertRight();
          return what + books(run);
        });
  }

  @Test
  void speculativeDuplicates() throws Exception {
    Map<String, String> speculation =
        Map.of(
            "mapreduce.map.speculative", "true",
            "mapreduce.reduce.speculative", "true",
            "mapreduce.job.speculative.retry-after-no-speculate", "300",
            "mapreduce.job.speculative.retry-after-speculate", "300");
    rounds(
        "speculative duplicates",
        (round, random) -> {
          int map = random.nextInt(SHAPE.maps());
          int reduce = random.nextInt(SHAPE.reduces());
          String slowMap = "m-" + map + (round % 2 == 0 ? "-middle" : "-end");
          String slowReduce = "r-" + reduce + "-middle";
          TotalsRun run = run(slowMap + "," + slowReduce, speculation);
          run.reached(slowMap);
          run.reached(slowReduce);
          run.assertRight();
          long maps = run.counter(JobCounter.TOTAL_LAUNCHED_MAPS);
          long reduces = run.counter(JobCounter.TOTAL_LAUNCHED_REDUCES);
          assertThat(maps).isGreaterThan(SHAPE.maps());
          assertThat(reduces).isGreaterThan(SHAPE.reduces());
          return maps + " maps and " + reduces + " reduces started, " + books(run);
        });
  }

  @Test
  void engineKilledWhileMapsSpillAndReducesMerge() throws Exception {
    rounds(
        "engine killed",
        (round, random) -> {
          int map = random.nextInt(SHAPE.maps());
          String spilling = "m-" + map + "-middle";
          String merging = "r-" + random.nextInt(SHAPE.reduces()) + "-middle";
          // No reduce is there yet when the first engine dies: its first attempt meets the gate.
          TotalsRun run =
              run(
                  spilling + "," + merging,
                  Map.of("mapreduce.job.reduce.slowstart.completedmaps", "1.0"));
          for (String gate : List.of(spilling, merging)) {
            ProcessHandle engine = cluster.engineOf(run.reached(gate));
            if (round % 2 == 1) {
              run.open(gate);
              pause(random.nextInt(100));
            }
            Engines.kill(engine);
            run.open(gate);
          }
          run.assertRight();
          assertThat(run.counter(JobCounter.NUM_FAILED_MAPS)).isZero();
          assertThat(run.counter(JobCounter.NUM_FAILED_REDUCES)).isZero();
          return spilling + " and " + merging + ", " + books(run);
        });
  }

  @Test
  void connectionsCutAndBytesFlippedBetweenEngines() throws Exception {
    rounds(
        "faulty wire",
        (round, random) -> {
          anEngineOnEachNode();
          try (FaultyWire wire = new FaultyWire(cluster, random.nextLong(), 4)) {
            String push = Boolean.toString(round % 2 == 0);
            TotalsRun run = runOnBothNodes(SHAPE, Map.of("mammoth.shuffle.push.enabled", push));
            run.assertRight();
            assertThat(wire.cuts() + wire.flips()).as("harms done").isPositive();
            return wire.cuts() + " cuts, " + wire.flips() + " flips, " + books(run);
          }
        });
  }

  private static final Map<String, String> LEVITATED =
      Map.of(
          "mammoth.shuffle.merge", "levitated",
          "mammoth.shuffle.levitated.block-bytes", "16384");

  @Test
  void levitatedOverAFaultyWire() throws Exception {
    rounds(
        "faulty wire under a levitated merge",
        (round, random) -> {
          anEngineOnEachNode();
          try (FaultyWire wire = new FaultyWire(cluster, random.nextLong(), 4)) {
            TotalsRun run = runOnBothNodes(SHAPE, LEVITATED);
            run.assertRight();
            assertThat(wire.cuts() + wire.flips()).as("harms done").isPositive();
            assertThat(run.way("LEVITATED_SEGMENTS")).isPositive();
            return wire.cuts() + " cuts, " + wire.flips() + " flips, " + books(run);
          }
        });
  }

  private static final Map<String, String> NODE_MERGED =
      Map.of(
          "mammoth.shuffle.merge", "node",
          "mammoth.sort.stock-order", "false",
          "mammoth.shuffle.levitated.block-bytes", "16384");

  @Tag("long")
  @Test
  void mergedByNodesOverAFaultyWire() throws Exception {
    rounds(
        "faulty wire under streams that nodes merge",
        (round, random) -> {
          anEngineOnEachNode();
          try (FaultyWire wire = new FaultyWire(cluster, random.nextLong(), 4)) {
            TotalsRun run = runOnBothNodes(SHAPE, NODE_MERGED);
            run.assertRight();
            assertThat(wire.cuts() + wire.flips()).as("harms done").isPositive();
            assertThat(run.way("LEVITATED_SEGMENTS")).isPositive();
            long merged = run.way("NODE_MERGED_RECORDS");
            long singly = run.way("SINGLE_SEGMENTS");
            assertThat(merged).isPositive();
            return wire.cuts()
                + " cuts, "
                + wire.flips()
                + " flips, "
                + merged
                + " records in streams, "
                + singly
                + " outputs singly, "
                + books(run);
          }
        });
  }

  /** What the engine would have merged is merged by the reduce, from what comes the stock way. */
  @Test
  void sourceEngineKilledWhileItMergesForAReduce() throws Exception {
    sourceEngineKilledUnderAReduce("source engine killed while it merges", NODE_MERGED);
  }

  /** The reduce stands in the middle of its merge; what is missing comes the stock way. */
  @Test
  void sourceEngineKilledWhileALevitatedReduceMerges() throws Exception {
    sourceEngineKilledUnderAReduce("source engine killed under a levitated merge", LEVITATED);
  }

  private void sourceEngineKilledUnderAReduce(String name, Map<String, String> mode)
      throws Exception {
    rounds(
        name,
        (round, random) -> {
          String merging = "r-" + random.nextInt(SHAPE.reduces()) + "-middle";
          Map<String, String> more = new HashMap<>(mode);
          more.put("mapreduce.job.reduce.slowstart.completedmaps", "1.0");
          TotalsRun run = runOnBothNodes(SHAPE, more, merging);
          ProcessHandle own = cluster.engineOf(run.reached(merging));
          ProcessHandle other =
              cluster.engines().stream().filter(each -> !each.equals(own)).findFirst().get();
          Engines.kill(other);
          run.open(merging);
          run.assertRight();
          assertThat(run.counter(JobCounter.NUM_FAILED_MAPS)).isZero();
          assertThat(run.counter(JobCounter.NUM_FAILED_REDUCES)).isZero();
          String singly = run.way("SINGLE_SEGMENTS") + " outputs singly";
          return "engine " + other.pid() + ", " + singly + ", " + books(run);
        });
  }

  @Tag("long")
  @Test
  void sourceEngineKilledBeforeALevitatedReduceMerges() throws Exception {
    rounds(
        "source engine killed before a levitated merge",
        (round, random) -> {
          TotalsRun run = run(LAST_END, LEVITATED);
          run.mapsDone(LAST);
          pause(500);
          List<ProcessHandle> engines = cluster.engines();
          Engines.kill(engines.get(random.nextInt(engines.size())));
          run.open(LAST_END);
          run.assertRight();
          return books(run);
        });
  }

  @Tag("long")
  @Test
  void mapRunAgainUnderALevitatedReduce() throws Exception {
    rounds(
        "map run again under a levitated reduce",
        (round, random) -> {
          TotalsRun run = run(LAST_END, LEVITATED);
          run.mapsDone(LAST);
          pause(500);
          var done =
              List.of(run.job().getTaskCompletionEvents(0, 100)).stream()
                  .filter(event -> event.isMapTask())
                  .toList();
          TaskAttemptID victim = done.get(random.nextInt(done.size())).getTaskAttemptId();
          run.job().killTask(victim);
          run.open(LAST_END);
          run.assertRight();
          return victim + " declared lost, " + books(run);
        });
  }

  @Test
  void levitatedReduceKilledInTheMiddle() throws Exception {
    rounds(
        "levitated reduce killed",
        (round, random) -> {
          int reduce = random.nextInt(SHAPE.reduces());
          String merging = "r-" + reduce + "-middle";
          TotalsRun run = run(merging, LEVITATED);
          TaskAttemptID id = TaskAttemptID.forName(run.reached(merging));
          run.job().killTask(id);
          run.open(merging);
          run.assertRight();
          return id + " killed, " + books(run);
        });
  }

  @Test
  void byteFlippedInAMapOutputFile() throws Exception {
    rounds(
        "byte flipped in a map's file",
        (round, random) -> {
          TotalsRun run = run(LAST_END);
          run.mapsDone(LAST);
          List<Path> files = files(run, ".*_m_\\d+_0/file.out");
          Path file = files.get(random.nextInt(files.size()));
          FaultyWire.flip(file, random);
          // What is in memory is whole.
          cluster.engines().forEach(Engines::kill);
          run.open(LAST_END);
          return file.getParent().getFileName() + ": " + rightOrClear(run, "checksum");
        });
  }

  /** The checksums of the files' blocks are gone with the engines that wrote them. */
  @Tag("long")
  @Test
  void bytesFlippedInFilesUnderALevitatedReduce() throws Exception {
    rounds(
        "bytes flipped under a levitated merge",
        (round, random) -> {
          TotalsRun run = run(LAST_END, round % 2 == 0 ? LEVITATED : NODE_MERGED);
          run.mapsDone(LAST);
          List<Path> files = files(run, ".*_m_\\d+_0/file.out");
          Path harmed = files.get(random.nextInt(files.size()));
          FaultyWire.flipInEachPartition(harmed, SHAPE.reduces(), random);
          cluster.engines().forEach(Engines::kill);
          run.open(LAST_END);
          return harmed.getParent().getFileName() + ": " + rightOrClear(run, "checksum");
        });
  }

  /** The engines live on, and those of one node have no memory to keep their maps' output in. */
  @Tag("long")
  @Test
  void byteFlippedInAFileThatLeftTheMemory() throws Exception {
    rounds(
        "byte flipped in a file that left the memory",
        (round, random) -> {
          TotalsRun run = run(LAST_END);
          run.mapsDone(LAST);
          List<Path> harmed = files(run, ".*_m_\\d+_0/file.out");
          for (Path file : harmed) {
            FaultyWire.flipInEachPartition(file, SHAPE.reduces(), random);
          }
          run.open(LAST_END);
          return harmed.size() + " files: " + rightOrClear(run, "checksum");
        });
  }

  /** Of one file of each node, so that every reduce fetches one of them from the other node. */
  @Tag("long")
  @Test
  void bytesFlippedInFilesFetchedFromTheOtherNode() throws Exception {
    rounds(
        "byte flipped in a file of the other node",
        (round, random) -> {
          TotalsRun run = run(LAST_END);
          run.mapsDone(LAST);
          List<Path> harmed = new ArrayList<>();
          for (String node : List.of("/local/", "/local-1/")) {
            List<Path> files = files(run, ".*_m_\\d+_0/file.out");
            files.removeIf(file -> !file.toString().contains(node));
            assertThat(files).as("map outputs under %s", node).isNotEmpty();
            Path file = files.get(random.nextInt(files.size()));
            FaultyWire.flipInEachPartition(file, SHAPE.reduces(), random);
            harmed.add(file.getParent().getFileName());
          }
          cluster.engines().forEach(Engines::kill);
          run.open(LAST_END);
          String verdict = rightOrClear(run, "checksum");
          assertThat(run.logged("does not fit its checksum")).as("noticed on arrival").isPositive();
          return harmed + ": " + verdict;
        });
  }

  @Tag("long")
  @Test
  void byteFlippedInASpillFile() throws Exception {
    rounds(
        "byte flipped in a spill file",
        (round, random) -> {
          List<String> gates =
              IntStream.range(0, LARGE_MAPS.maps()).mapToObj(map -> "m-" + map + "-end").toList();
          TotalsRun run = run(LARGE_MAPS, String.join(",", gates), Map.of());
          gates.forEach(run::reached);
          // What is written behind gets there.
          pause(500);
          List<Path> files = files(run, ".*_m_\\d+_0_spill_\\d+.out");
          assertThat(files).as("spill files").isNotEmpty();
          FaultyWire.flip(files.get(random.nextInt(files.size())), random);
          for (String gate : gates) {
            run.open(gate);
          }
          return files.size() + " files: " + rightOrClear(run, "checksum");
        });
  }

  private List<Path> files(TotalsRun run, String pattern) throws Exception {
    return FaultyWire.files(
        cluster.cluster().home(), ".*" + run.jobId().replace("job_", "application_") + pattern);
  }

  /** A right output, or an error that says what happened; nothing else. */
  private static String rightOrClear(TotalsRun run, String error) throws Exception {
    if (run.succeeds()) {
      run.assertRight();
      String failed =
          run.diagnostics().lines().filter(line -> line.contains("FAILED")).toList().toString();
      return books(run) + ", " + failed;
    }
    assertThat(run.diagnostics()).containsIgnoringCase(error).doesNotContain("WRONG BYTES");
    return "failed: " + run.diagnostics().lines().limit(3).toList();
  }
}
