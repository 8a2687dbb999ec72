// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.mammoth.api.status.DiskUse;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.api.status.MemoryUse;
import org.mammoth.compat.faults.TotalsRun.Shape;

/** Jobs of different weights at once, and a job much larger than the engine's memory. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedMemoryIT {
  private static final long SEED = Long.getLong("mammoth.compat.seed", 7);
  private static final Shape HALF = new Shape(12, 2, 20_000, 5_000, 100);
  private static final Shape LARGE = new Shape(24, 2, 25_000, 20_000, 100);
  private static final long MIB = 1 << 20;

  /** Eighteen maps of 7 MB: three of them want more than the pool has. */
  private static final Shape WIDE = new Shape(18, 2, 60_000, 5_000, 100);

  /** Maps of which each alone wants more than the pool has, to be looked at while they run. */
  private static final Shape WATCHED = new Shape(24, 2, 180_000, 5_000, 100);

  /** Of each job, so that neither takes all containers of the node before the other begins. */
  private static final int MAPS_AT_ONCE = 3;

  private static final List<String> GATES =
      IntStream.range(0, MAPS_AT_ONCE).mapToObj(map -> "m-" + map + "-start").toList();

  private static final int ROUNDS_PER_QUESTION = 20;

  /** The administrator gives the second one three times the weight of the first. */
  private static final List<String> USERS = List.of("alice", "bob");

  /**
   * What an engine of {@code -Xmx500m} takes at most beside its pool and what else its ledger says:
   * heap, classes, compiled code, threads. Measured: 352 MiB with a pool of 16 MiB, 361 MiB with
   * one of 131 MiB; some 80 more where it has served other tests.
   */
  private static final long BESIDE_THE_LEDGER = 512 * MIB;

  static final Map<String, String> ONE_NODE =
      Map.of(
          "yarn.nodemanager.resource.memory-mb", "4096",
          "mammoth.engine.memory-mb", "4096",
          "mammoth.memory.user.weights", "alice=100,bob=300",
          // What eight maps are guaranteed is half of so small a pool with 4, whatever the weights.
          "mammoth.memory.map.guaranteed-units", "2",
          "yarn.scheduler.capacity.root.default.ordering-policy", "fair");

  private FaultCluster cluster;

  @BeforeAll
  void start() throws Exception {
    // One node: what another one holds would not be seen in its engine's memory.
    cluster = FaultCluster.start("shared-memory", ONE_NODE, List.of(Map.of()));
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private TotalsRun run(Shape shape, String gates, Map<String, String> more) throws Exception {
    return TotalsRun.submit(cluster, shape, SEED, gates, more);
  }

  private long timed(String weight) throws Exception {
    long start = System.nanoTime();
    run(WIDE, "", weighing(weight)).assertRight();
    return millisSince(start);
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  private static Map<String, String> weighing(String weight) {
    return Map.of(
        "mammoth.memory.job.weight",
        weight,
        "mapreduce.job.reduce.slowstart.completedmaps",
        "1.0",
        "mapreduce.job.running.map.limit",
        String.valueOf(MAPS_AT_ONCE));
  }

  @Test
  void jobsOfOneUserShareByWeight() throws Exception {
    run(HALF, "", Map.of()).assertRight();
    long oneByOne = timed("100") + timed("300");
    long start = System.nanoTime();
    for (TotalsRun run : List.of(run(WIDE, "", weighing("100")), run(WIDE, "", weighing("300")))) {
      run.assertRight();
    }
    long together = millisSince(start);
    String gates = String.join(",", GATES);
    List<TotalsRun> runs =
        List.of(run(WATCHED, gates, weighing("100")), run(WATCHED, gates, weighing("300")));
    openTogether(runs);
    sampleWeights("two jobs of one user", runs);
    for (TotalsRun run : runs) {
      run.assertRight();
    }
    // The second one's ApplicationMaster is a new process, which may outweigh the gain here.
    System.out.printf("one user: one after the other %d ms, at once %d ms%n", oneByOne, together);
    cluster.assertClean();
  }

  /** Lets the maps of several jobs go at the moment when each has as many as it may. */
  private static void openTogether(List<TotalsRun> runs) throws Exception {
    for (TotalsRun run : runs) {
      for (String gate : GATES) {
        run.reached(gate);
      }
    }
    for (TotalsRun run : runs) {
      for (String gate : GATES) {
        run.open(gate);
      }
    }
  }

  /** Takes samples until one of two jobs is complete; how many of them told something. */
  private static int watch(List<TotalsRun> runs, BooleanSupplier sample) throws Exception {
    int samples = 0;
    // Asking an ApplicationMaster takes longer than many samples.
    for (int round = 1;
        round % ROUNDS_PER_QUESTION != 0
            || !runs.get(0).job().isComplete() && !runs.get(1).job().isComplete();
        round++) {
      if (sample.getAsBoolean()) {
        samples++;
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
    assertThat(samples).as("samples").isGreaterThan(20);
    return samples;
  }

  /** Two jobs of weights 100 and 300: what they hold is as that. */
  private void sampleWeights(String what, List<TotalsRun> runs) throws Exception {
    double[] sums = new double[2];
    int samples =
        watch(
            runs,
            () -> {
              double[] held = mapsHold(runs);
              boolean both = held[0] > 0 && held[1] > 0;
              if (both) {
                sums[0] += held[0];
                sums[1] += held[1];
              }
              return both;
            });
    System.out.printf(
        "%s, weights 100 and 300: %d samples with maps of both, on average %.0f and %.0f KiB%n",
        what, samples, sums[0] / samples / 1024, sums[1] / samples / 1024);
    // The weights say 3, for what is beyond the minimum of each running map.
    assertThat(sums[1] / sums[0]).isBetween(1.5, 6.0);
  }

  /**
   * Jobs of both users: the engines may lend, and lend, of one engine's pool what the users'
   * weights say. Whether a user's maps want all of it is another matter: here seldom.
   */
  private void sampleLimits(List<TotalsRun> runs) throws Exception {
    double[] held = new double[2];
    double[] most = new double[2];
    long[] limits = new long[2];
    int samples =
        watch(
            runs,
            () -> {
              List<EngineSnapshot> engines = cluster.snapshots();
              if (!engines.stream().allMatch(engine -> engine.memory().runningMaps() > 0)) {
                return false;
              }
              for (EngineSnapshot engine : engines) {
                MemoryUse memory = engine.memory();
                int user = USERS.indexOf(engine.user());
                limits[user] = memory.poolLimitBytes();
                held[user] += memory.poolUsedBytes();
                most[user] = Math.max(most[user], memory.poolUsedBytes());
                assertThat(memory.poolUsedBytes()).isLessThanOrEqualTo(memory.poolLimitBytes());
              }
              assertThat((double) limits[1] / limits[0])
                  .as("limits %d and %d of %s", limits[0], limits[1], pools(engines))
                  .isBetween(2.8, 3.2);
              return true;
            });
    System.out.printf(
        "users of weights 100 and 300: %d samples with maps of both; may hold %d and %d KiB, hold"
            + " %.0f and %.0f on average, %.0f and %.0f at most%n",
        samples,
        limits[0] / 1024,
        limits[1] / 1024,
        held[0] / samples / 1024,
        held[1] / samples / 1024,
        most[0] / 1024,
        most[1] / 1024);
    assertThat(most[1]).as("more than the other may have").isGreaterThan(limits[0]);
  }

  private static List<String> pools(List<EngineSnapshot> engines) {
    return engines.stream()
        .map(
            engine ->
                "%s: %d of %d, %d maps"
                    .formatted(
                        engine.engineId(),
                        engine.memory().poolLimitBytes(),
                        engine.memory().poolBytes(),
                        engine.memory().runningMaps()))
        .toList();
  }

  /** What two jobs hold if maps of both run and have asked for memory. */
  private double[] mapsHold(List<TotalsRun> runs) {
    double[] held = new double[2];
    for (EngineSnapshot engine : cluster.snapshots()) {
      for (MemoryUse.Job job : engine.memory().jobs()) {
        for (int i = 0; i < held.length; i++) {
          if (job.job().equals(runs.get(i).jobId()) && job.maps() > 0) {
            held[i] = job.sortBytes() + job.sendBytes() + job.receiveBytes();
          }
        }
      }
    }
    return held;
  }

  /** Each user has an engine, and of the node's pool what the user's weight says. */
  @Test
  void jobsOfTwoUsersShareByTheUsersWeights() throws Exception {
    List<UserGroupInformation> users = new ArrayList<>();
    long oneByOne = 0;
    for (String name : USERS) {
      UserGroupInformation user = UserGroupInformation.createRemoteUser(name);
      users.add(user);
      as(
          user,
          () -> {
            run(HALF, "", Map.of()).assertRight();
            return null;
          });
      oneByOne += as(user, () -> timed("100"));
    }
    // Both have an engine of their own for what follows.
    bothRight(users, submitBoth(users, HALF, ""));
    long start = System.nanoTime();
    bothRight(users, submitBoth(users, WIDE, ""));
    long together = millisSince(start);
    List<TotalsRun> runs = submitBoth(users, WATCHED, String.join(",", GATES));
    openTogether(runs);
    List<EngineSnapshot> engines = cluster.snapshots();
    assertThat(engines.stream().map(EngineSnapshot::user)).containsAll(USERS);
    for (EngineSnapshot engine : engines) {
      assertThat(engine.memory().leases())
          .as("leases in the engine of %s", engine.user())
          .allMatch(lease -> lease.user().equals(engine.user()) || lease.user().equals("engine"));
    }
    sampleLimits(runs);
    bothRight(users, runs);
    System.out.printf("two users: one after the other %d ms, at once %d ms%n", oneByOne, together);
    assertThat(together).as("shorter than one after the other").isLessThan(oneByOne);
    cluster.assertClean();
  }

  private List<TotalsRun> submitBoth(List<UserGroupInformation> users, Shape shape, String gates)
      throws Exception {
    List<TotalsRun> runs = new ArrayList<>();
    for (UserGroupInformation user : users) {
      runs.add(as(user, () -> run(shape, gates, weighing("100"))));
    }
    return runs;
  }

  private static void bothRight(List<UserGroupInformation> users, List<TotalsRun> runs)
      throws Exception {
    for (int i = 0; i < runs.size(); i++) {
      TotalsRun run = runs.get(i);
      as(
          users.get(i),
          () -> {
            run.assertRight();
            return null;
          });
    }
  }

  private static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action)
      throws Exception {
    return user.doAs(action);
  }

  /** Four times the pool and more: all of it is sorted, and no more is spilled than there is. */
  @Test
  void dataOfFourTimesTheMemory() throws Exception {
    if (cluster.engines().isEmpty()) {
      run(HALF, "", Map.of()).assertRight();
    }
    sortsFourTimesTheMemory(cluster, LARGE);
  }

  static void sortsFourTimesTheMemory(FaultCluster node, Shape shape) throws Exception {
    // The engine has served other tests, perhaps; engines of other users end meanwhile.
    Map<String, Long> spilledBefore = written(node, Set.of("SORT", "RECEIVE"));
    Map<String, Long> filesBefore = written(node, Set.of("ACTIVE"));
    TotalsRun run =
        TotalsRun.submit(
            node, shape, SEED, "", Map.of("mapreduce.job.reduce.slowstart.completedmaps", "0.05"));
    long resident = 0;
    long beside = 0;
    long pool = 0;
    long leased = 0;
    while (!run.job().isComplete()) {
      for (EngineSnapshot engine : node.snapshots()) {
        MemoryUse memory = engine.memory();
        resident = Math.max(resident, engine.jvm().residentBytes());
        leased = Math.max(leased, memory.usedBytes());
        // Units of the pool stay where they are, lent or not, and nobody else may lease that
        // memory.
        long ledger = memory.usedBytes() - memory.poolUsedBytes() + memory.poolBytes();
        beside = Math.max(beside, engine.jvm().residentBytes() - ledger - ledger / 20);
        pool = memory.poolBytes();
        assertThat(memory.usedBytes()).isLessThanOrEqualTo(memory.capBytes());
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    run.assertRight();
    node.assertClean();
    long data = shape.bytes();
    assertThat(data).isGreaterThan(4 * pool);
    long spilled = since(spilledBefore, written(node, Set.of("SORT", "RECEIVE")));
    System.out.printf(
        "data %d MiB, pool %d MiB, data beyond it %d MiB; written: spills %d"
            + " MiB, map output files %d MiB; most leased %d MiB, RSS %d MiB, of which beyond the"
            + " ledger and 5 %% %d MiB; spilled records %d of %d%n",
        data / MIB,
        pool / MIB,
        (data - pool) / MIB,
        spilled / MIB,
        since(filesBefore, written(node, Set.of("ACTIVE"))) / MIB,
        leased / MIB,
        resident / MIB,
        beside / MIB,
        run.counter(TaskCounter.SPILLED_RECORDS),
        run.counter(TaskCounter.MAP_OUTPUT_RECORDS));
    assertThat(spilled).as("bytes spilled").isLessThanOrEqualTo(data - pool);
    assertThat(beside).as("RSS beside the ledger").isLessThanOrEqualTo(BESIDE_THE_LEDGER);
  }

  /** Bytes that each engine has written for some classes, by its name. */
  private static Map<String, Long> written(FaultCluster node, Set<String> ioClasses) {
    return node.snapshots().stream()
        .collect(Collectors.toMap(EngineSnapshot::engineId, engine -> written(engine, ioClasses)));
  }

  private static long written(EngineSnapshot engine, Set<String> ioClasses) {
    return engine.disks().stream()
        .flatMap(disk -> disk.lanes().stream())
        .filter(lane -> ioClasses.contains(lane.ioClass()) && lane.direction().equals("WRITE"))
        .mapToLong(DiskUse.Lane::totalBytes)
        .sum();
  }

  private static long since(Map<String, Long> before, Map<String, Long> now) {
    return now.entrySet().stream()
        .mapToLong(engine -> engine.getValue() - before.getOrDefault(engine.getKey(), 0L))
        .sum();
  }
}
