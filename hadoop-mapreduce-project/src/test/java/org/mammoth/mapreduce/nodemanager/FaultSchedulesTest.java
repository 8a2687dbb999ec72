// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.admission.AdmissionLedger;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.engine.containers.SimulatedContainers;
import org.mammoth.mapreduce.lifecycle.SimWorld;
import org.mammoth.mapreduce.nodemanager.sites.EngineSite;
import org.mammoth.mapreduce.nodemanager.sites.EngineSites;
import org.mammoth.mapreduce.nodemanager.sites.EngineSizing;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;

/**
 * Random faults at random moments, on a simulated clock: the real supervisor, handles and keepers
 * of a NodeManager, the real tables of engines, both state machines; only processes, calls and
 * threads are made up. No container is lost, none runs twice, nothing stays admitted, no engine
 * stays for ever.
 *
 * <p>{@code mammoth.lifecycle.schedules} says how many, {@code mammoth.lifecycle.seed} which.
 */
class FaultSchedulesTest {

  private static final int SCHEDULES = Integer.getInteger("mammoth.lifecycle.schedules", 200);
  private static final long SEED = Long.getLong("mammoth.lifecycle.seed", 19);
  private static final long BUSY_MS = 600_000;
  private static final long SHARE_MB = 2_000;
  private static final List<String> USERS = List.of("ann", "bob", "eve");

  @TempDir private Path folder;

  private final Map<String, Integer> faultCounts = new TreeMap<>();
  private final Map<String, Integer> ends = new TreeMap<>();

  @Test
  void noContainerIsLostOrRunsTwice() throws Exception {
    Path jobFile = Files.writeString(folder.resolve("job.xml"), "<configuration/>");
    long before = System.nanoTime();
    long simulatedMs = 0;
    for (int schedule = 0; schedule < SCHEDULES; schedule++) {
      long seed = SEED * 1_000_003 + schedule;
      try {
        simulatedMs += new Schedule(seed, jobFile.toString()).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "schedule " + schedule + " of seed " + SEED + ": " + e.getMessage(), e);
      }
    }
    System.out.println(
        SCHEDULES
            + " schedules of seed "
            + SEED
            + ", "
            + simulatedMs / 3_600_000
            + " simulated hours in "
            + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before)
            + " ms; faults "
            + faultCounts
            + "; containers "
            + ends);
    if (SCHEDULES >= 100) {
      assertThat(faultCounts).as("kinds of faults").hasSize(7);
      assertThat(ends.keySet()).as("kinds of ends").hasSizeGreaterThanOrEqualTo(4);
    }
  }

  /** One container's way. */
  private static final class Fate {
    private int runsInEngines;
    private int runsInProcesses;
    private final List<String> ends = new ArrayList<>();
    private boolean signalled;
  }

  private final class Schedule {
    private final long seed;
    private final Random random;
    private final String jobFile;
    private final SimWorld world = new SimWorld();
    private final List<SimulatedSite> sites = new ArrayList<>();
    private final Map<String, Fate> fates = new TreeMap<>();
    private final Map<String, Long> durations = new HashMap<>();
    private final Faults faults;
    private final AdmissionLedger admission = new AdmissionLedger(SHARE_MB);
    private final EngineSupervisor supervisor;
    private boolean over;

    Schedule(long seed, String jobFile) {
      this.seed = seed;
      this.jobFile = jobFile;
      this.random = new Random(seed);
      this.faults = new Faults(world, seed + 1, sites, faultCounts);
      Configuration conf = new Configuration(false);
      conf.setLong(EngineKeys.MEMORY_MB.name(), SHARE_MB);
      conf.setLong(EngineKeys.QUARANTINE_DEATHS.name(), 3);
      conf.setLong(EngineKeys.IDLE_TIMEOUT_MS.name(), 60_000);
      this.supervisor =
          new EngineSupervisor(
              "engine",
              "sim",
              conf,
              sites(),
              EngineShares.ofTasks(conf, EngineSizing.UNLIMITED_MB),
              admission,
              world);
    }

    private EngineSites sites() {
      return new EngineSites() {
        @Override
        public EngineSite create(String engineId, String user, EngineSizing sizing) {
          SimulatedContainers containers =
              new SimulatedContainers(
                  world,
                  container -> fates.get(container).runsInEngines++,
                  spec -> durations.get(spec.containerId()),
                  world::threadsGone);
          SimulatedSite site =
              new SimulatedSite(world, faults, containers, supervisor, sites.size() + 1L);
          sites.add(site);
          return site;
        }

        @Override
        public List<Left> left(EngineSizing whole) {
          return List.of();
        }
      };
    }

    long run() throws InterruptedException {
      int containers = 20 + random.nextInt(40);
      for (int i = 0; i < containers; i++) {
        String container = String.format("container_%03d", i);
        fates.put(container, new Fate());
        durations.put(container, 100L + random.nextInt(60_000));
        String user = USERS.get(random.nextInt(1 + (int) (seed % USERS.size())));
        long memoryMb = 100 + random.nextInt(300);
        String task = "task_" + i;
        world.after(
            (long) (random.nextDouble() * BUSY_MS),
            () -> world.begin(container, () -> launch(container, task, user, memoryMb)));
        if (random.nextInt(8) == 0) {
          world.after((long) (random.nextDouble() * BUSY_MS), () -> kill(container));
        }
      }
      if (random.nextInt(3) == 0) {
        world.after(
            (long) (random.nextDouble() * BUSY_MS),
            () -> supervisor.drain(engine -> true, "as an administrator says"));
      }
      faults.plan(BUSY_MS);
      world.begin("janitor", this::lookAfter);
      world.run(2 * BUSY_MS);
      judge(world.ms());
      over = true;
      supervisor.shutdown();
      world.run(Long.MAX_VALUE / 2_000_000);
      assertThat(world.alive()).as("threads").isEmpty();
      return world.ms();
    }

    private void lookAfter() {
      while (!over) {
        supervisor.stopIdle();
        supervisor.dividePools();
        world.sleep(5_000);
      }
    }

    private void launch(String container, String task, String user, long memoryMb) {
      Fate fate = fates.get(container);
      ContainerLaunchSpec spec =
          new ContainerLaunchSpec().withIdentity(container, user, memoryMb).withFiles(jobFile, "");
      try {
        CompletableFuture<ContainerExit> end = supervisor.submit(task, spec);
        ContainerExit exit = world.await(end, Long.MAX_VALUE);
        fate.ends.add(String.valueOf(exit.exitCode()));
      } catch (EngineUnavailableException e) {
        fate.ends.add("process");
        fate.runsInProcesses++;
      } catch (Exception e) {
        throw new AssertionError(container + " met " + e, e);
      }
    }

    private void kill(String container) {
      world.begin(
          "kill-" + container,
          () -> {
            Fate fate = fates.get(container);
            fate.signalled |= supervisor.signal(container, 15);
            world.sleep(250);
            fate.signalled |= supervisor.signal(container, 9);
          });
    }

    private void judge(long atMs) {
      fates.forEach(
          (container, fate) -> {
            String who = container + " at " + atMs + " ms";
            assertThat(fate.ends).as("ends of " + who).hasSize(1);
            assertThat(fate.runsInEngines + fate.runsInProcesses)
                .as("runs of " + who + ", which ended " + fate.ends)
                .isLessThanOrEqualTo(1);
            String end = fate.ends.get(0);
            ends.merge(end, 1, Integer::sum);
            if (end.equals("0")) {
              assertThat(fate.runsInEngines).as("runs of " + who).isEqualTo(1);
            } else if (end.equals("137") || end.equals("143")) {
              assertThat(fate.signalled).as("signals to " + who).isTrue();
            } else if (end.equals("process")) {
              assertThat(fate.runsInProcesses).as("runs of " + who).isEqualTo(1);
            } else {
              assertThat(end).isEqualTo(String.valueOf(ContainerExitStatus.ABORTED));
            }
          });
      assertThat(admission.usedMb()).as("MiB admitted").isZero();
      assertThat(admission.holders()).as("admissions").isZero();
      assertThat(supervisor.engines()).as("engines long after the last task").isEmpty();
      assertThat(sites).as("processes").noneMatch(SimulatedSite::isAlive);
    }
  }
}
