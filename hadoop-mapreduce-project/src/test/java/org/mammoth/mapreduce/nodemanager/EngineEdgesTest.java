// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.admission.AdmissionLedger;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.engine.containers.SimulatedContainers;
import org.mammoth.mapreduce.lifecycle.SimWorld;
import org.mammoth.mapreduce.nodemanager.sites.EngineSite;
import org.mammoth.mapreduce.nodemanager.sites.EngineSites;
import org.mammoth.mapreduce.nodemanager.sites.EngineSizing;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;

/** What went wrong once between a NodeManager and its engines, each on a simulated clock. */
class EngineEdgesTest {

  private long taskMs = 30_000;

  /** Calls take as long as a test says. */
  private final class Told extends Faults {
    private long startMs = 1_000;
    private long wayMs = 1;
    private boolean unreachable;

    Told() {
      super(world, 1, sites, new TreeMap<>());
    }

    @Override
    long startMs() {
      return startMs;
    }

    @Override
    long wayMs(SimulatedSite site) {
      return wayMs;
    }

    @Override
    void mayHaveDescriptors() throws IOException {
      if (unreachable) {
        throw new IOException("Too many open files (as told)");
      }
    }
  }

  @TempDir private Path folder;

  private final SimWorld world = new SimWorld();
  private final List<SimulatedSite> sites = new ArrayList<>();
  private final Told told = new Told();
  private final AdmissionLedger admission = new AdmissionLedger(2_000);
  private final Map<String, Integer> runs = new HashMap<>();
  private final Map<String, String> ends = new TreeMap<>();
  private EngineSupervisor supervisor;
  private String jobFile;

  @BeforeEach
  void begin() throws Exception {
    jobFile = Files.writeString(folder.resolve("job.xml"), "<configuration/>").toString();
    Configuration conf = new Configuration(false);
    conf.setLong(EngineKeys.MEMORY_MB.name(), 2_000);
    EngineSites made =
        new EngineSites() {
          @Override
          public EngineSite create(String engineId, String user, EngineSizing sizing) {
            SimulatedContainers containers =
                new SimulatedContainers(
                    world,
                    container -> runs.merge(container, 1, Integer::sum),
                    spec -> taskMs,
                    world::threadsGone);
            sites.add(new SimulatedSite(world, told, containers, supervisor, sites.size() + 1L));
            return sites.get(sites.size() - 1);
          }

          @Override
          public List<Left> left(EngineSizing whole) {
            return List.of();
          }
        };
    supervisor =
        new EngineSupervisor(
            "engine",
            "sim",
            conf,
            made,
            EngineShares.ofTasks(conf, EngineSizing.UNLIMITED_MB),
            admission,
            world);
  }

  private void launchAfter(long ms, String container, String user) {
    ContainerLaunchSpec spec =
        new ContainerLaunchSpec().withIdentity(container, user, 400).withFiles(jobFile, "");
    world.after(
        ms,
        () ->
            world.begin(
                container,
                () -> {
                  try {
                    int code =
                        world
                            .await(supervisor.submit("task-" + container, spec), Long.MAX_VALUE)
                            .exitCode();
                    ends.put(container, String.valueOf(code));
                  } catch (EngineUnavailableException e) {
                    ends.put(container, "process");
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                }));
  }

  private void runFor(long ms) throws InterruptedException {
    for (long at = 1_000; at < ms; at += 1_000) {
      world.after(at, supervisor::stopIdle);
    }
    world.run(world.ms() + ms);
  }

  @Test
  void anEngineThatStartsIsNotIdleHoweverLongItTakes() throws InterruptedException {
    told.startMs = 25_000;
    launchAfter(0, "anns", "ann");
    launchAfter(15_000, "bobs", "bob");
    runFor(200_000);
    assertThat(ends).containsEntry("anns", "0").containsEntry("bobs", "0");
    assertThat(sites).as("engines, one for each").hasSize(2);
  }

  @Test
  void aSlowLaunchRunsOnceAndItsEngineEnds() throws InterruptedException {
    launchAfter(0, "first", "ann");
    world.after(10_000, () -> told.wayMs = 15_000);
    launchAfter(11_000, "slow", "ann");
    world.after(40_000, () -> told.wayMs = 1);
    runFor(120_000);
    assertThat(ends).containsEntry("slow", "0");
    assertThat(runs).containsEntry("slow", 1);
    supervisor.drain(engine -> true, "as told");
    runFor(10_000);
    assertThat(supervisor.engines()).as("drained engines").isEmpty();
    assertThat(admission.usedMb()).isZero();
  }

  @Test
  void aLaunchThatArrivesAfterItWasGivenUpStartsNothing() throws InterruptedException {
    launchAfter(0, "first", "ann");
    // The launch is on its way for half a minute, what follows it is quick.
    world.after(10_000, () -> told.wayMs = 30_000);
    launchAfter(10_500, "late", "ann");
    world.after(11_500, () -> told.wayMs = 1);
    runFor(200_000);
    assertThat(ends).containsEntry("late", "process");
    assertThat(runs).doesNotContainKey("late");
    assertThat(admission.usedMb()).isZero();
  }

  @Test
  void anEngineThatDiesWhileALaunchIsOnItsWayEndsTheLaunch() throws InterruptedException {
    launchAfter(0, "first", "ann");
    world.after(9_000, () -> told.wayMs = 3_000);
    launchAfter(10_000, "second", "ann");
    world.after(11_000, () -> sites.get(0).destroy());
    runFor(60_000);
    assertThat(ends)
        .containsEntry("first", String.valueOf(ContainerExitStatus.ABORTED))
        .containsEntry("second", String.valueOf(ContainerExitStatus.ABORTED));
    assertThat(admission.holders()).isZero();
    assertThat(supervisor.engines()).isEmpty();
  }

  @Test
  void anEngineThatDiesAtAnyMomentOfALaunchLosesNothing() throws InterruptedException {
    for (int moment = 0; moment < 40; moment++) {
      String container = "c" + moment;
      long begin = moment * 10_000L;
      launchAfter(begin, container, "ann");
      int which = moment;
      world.after(begin + 1_040 + moment, () -> sites.get(which).destroy());
    }
    runFor(500_000);
    assertThat(ends).hasSize(40);
    assertThat(runs.values()).allMatch(count -> count == 1);
    assertThat(admission.holders()).isZero();
  }

  @Test
  void aTaskThatComesBeforeTheNewsOfADrainGoesToTheNextEngine() throws InterruptedException {
    launchAfter(0, "first", "ann");
    for (int moment = 0; moment < 20; moment++) {
      // One that drains at a time: of more, the node's memory would not be enough.
      long at = 40_000L * (moment + 1);
      world.after(at, () -> sites.get(sites.size() - 1).drainOfItself("as it likes"));
      launchAfter(at + moment, "c" + moment, "ann");
    }
    runFor(900_000);
    assertThat(ends).hasSize(21).allSatisfy((container, end) -> assertThat(end).isEqualTo("0"));
    assertThat(sites).as("engines").hasSize(21);
  }

  @Test
  void enginesThatDrainForLongDoNotTakeTheNodesMemoryManyTimes() throws InterruptedException {
    List<Long> held = new ArrayList<>();
    for (int number = 0; number < 20; number++) {
      // Each has an engine of its own, which drains for as long as its task takes.
      launchAfter(5_000L * number, "c" + number, number % 2 == 0 ? "ann" : "bob");
      world.after(5_000L * number + 3_000, () -> supervisor.drain(engine -> true, "as told"));
      world.after(
          5_000L * number + 2_000,
          () ->
              held.add(
                  supervisor.engines().stream()
                      .mapToLong(engine -> engine.sizing().shareMb())
                      .sum()));
    }
    runFor(200_000);
    assertThat(held).allMatch(mb -> mb <= 2 * 2_000);
    assertThat(ends.values()).containsOnly("0", "process").hasSize(20);
    assertThat(ends)
        .containsEntry("c0", "0")
        .containsEntry("c1", "0")
        .containsEntry("c2", "process");
    assertThat(ends.values().stream().filter("0"::equals).count())
        .as("that run in engines, which are there again once others have ended")
        .isGreaterThanOrEqualTo(6);
  }

  /** It would be given up for one that the node has no memory for. */
  @Test
  void anIdleEngineStaysWhileThoseThatDrainLeaveNoRoomForALargerOne() throws InterruptedException {
    List<Integer> engines = new ArrayList<>();
    taskMs = 300_000;
    launchAfter(0, "b1", "bob");
    world.after(5_000, () -> supervisor.drain(engine -> true, "as told"));
    launchAfter(6_000, "b2", "bob");
    world.after(10_000, () -> taskMs = 1_000);
    launchAfter(11_000, "a1", "ann");
    world.after(
        20_000, () -> supervisor.drain(engine -> engine.user().equals("bob"), "as told, too"));
    for (int number = 2; number < 6; number++) {
      launchAfter(20_000L * number, "a" + number, "ann");
    }
    world.after(130_000, () -> engines.add(sites.size()));
    runFor(400_000);
    assertThat(ends.values()).as("where they ran").containsOnly("0").hasSize(7);
    assertThat(engines).containsExactly(3);
  }

  @Test
  void aTaskThatComesWhileAnEngineIsSilentWaitsForItsAnswer() throws InterruptedException {
    launchAfter(0, "first", "ann");
    world.after(10_000, () -> told.unreachable = true);
    launchAfter(12_000, "second", "ann");
    world.after(14_000, () -> told.unreachable = false);
    runFor(100_000);
    assertThat(ends).containsEntry("first", "0").containsEntry("second", "0");
    assertThat(sites).as("engines").hasSize(1);
  }

  @Test
  void aTaskThatComesBetweenAnEnginesLastWordAndItsEndGoesToTheNextOne()
      throws InterruptedException {
    launchAfter(0, "first", "ann");
    world.after(10_000, () -> told.unreachable = true);
    launchAfter(12_000, "second", "ann");
    world.after(13_000, () -> told.unreachable = false);
    world.after(13_000, () -> sites.get(0).destroy());
    runFor(100_000);
    assertThat(ends)
        .containsEntry("first", String.valueOf(ContainerExitStatus.ABORTED))
        .containsEntry("second", "0");
    assertThat(sites).as("engines").hasSize(2);
  }

  @Test
  void aTaskGoesToAProcessWhenAnEngineStaysSilent() throws InterruptedException {
    launchAfter(0, "first", "ann");
    world.after(10_000, () -> told.unreachable = true);
    launchAfter(12_000, "second", "ann");
    world.after(22_000, () -> told.unreachable = false);
    runFor(100_000);
    assertThat(ends).containsEntry("first", "0").containsEntry("second", "process");
    assertThat(runs).doesNotContainKey("second");
  }

  @Test
  void whoAsksForAThreadDumpOfASlowEngineIsNotHeldUp() throws InterruptedException {
    List<Long> took = new ArrayList<>();
    launchAfter(0, "first", "ann");
    world.after(10_000, () -> told.wayMs = 5_000);
    world.after(
        11_000,
        () ->
            world.begin(
                "dispatcher",
                () -> {
                  long before = world.ms();
                  assertThat(supervisor.signal("first", 3)).isTrue();
                  took.add(world.ms() - before);
                }));
    world.after(30_000, () -> told.wayMs = 1);
    runFor(100_000);
    assertThat(took).containsExactly(0L);
  }

  @Test
  void aJumpOfTheClockEndsNobody() throws InterruptedException {
    launchAfter(0, "before", "ann");
    world.after(10_000, () -> world.jump(600_000));
    runFor(60_000);
    assertThat(ends).containsEntry("before", "0");
    assertThat(sites).hasSize(1);
  }

  @Test
  void aContainerThatIsKilledWhileItsEngineStartsNeverRuns() throws InterruptedException {
    told.startMs = 10_000;
    launchAfter(0, "killed", "ann");
    world.after(3_000, () -> assertThat(supervisor.holds("killed")).isTrue());
    world.after(3_100, () -> assertThat(supervisor.signal("killed", 15)).isTrue());
    runFor(60_000);
    assertThat(ends).containsEntry("killed", "143");
    assertThat(runs).isEmpty();
  }

  @Test
  void withoutAThreadToLookAfterItNoEngineIsKept() throws InterruptedException {
    world.threadsGone(true);
    launchAfter(0, "c", "ann");
    runFor(5_000);
    assertThat(ends).containsEntry("c", "process");
    assertThat(supervisor.engines()).isEmpty();
    world.threadsGone(false);
    launchAfter(0, "d", "ann");
    runFor(60_000);
    assertThat(ends).containsEntry("d", "0");
    assertThat(admission.holders()).isZero();
  }
}
