// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.admission.AdmissionLedger;
import org.mammoth.mapreduce.engine.containers.SimulatedContainers;
import org.mammoth.mapreduce.lifecycle.SimWorld;
import org.mammoth.mapreduce.nodemanager.sites.EngineSite;
import org.mammoth.mapreduce.nodemanager.sites.EngineSites;
import org.mammoth.mapreduce.nodemanager.sites.EngineSizing;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;

/** Jobs of a user that overlap, and who hosts them, on a simulated clock. */
class AppMasterHostsTest {

  private static final long JOB_MS = 10_000;

  @TempDir private Path folder;

  private final SimWorld world = new SimWorld();
  private final List<SimulatedSite> sites = new ArrayList<>();
  private final Faults none =
      new Faults(world, 1, sites, new TreeMap<>()) {
        @Override
        long startMs() {
          return 1_000;
        }

        @Override
        long wayMs(SimulatedSite site) {
          return 1;
        }
      };

  /** Where each container ran: the engine's name without the time of its start. */
  private final Map<String, String> places = new TreeMap<>();

  private AppMasterHosts hosts;
  private String jobFile;

  @BeforeEach
  void begin() throws Exception {
    jobFile = Files.writeString(folder.resolve("job.xml"), "<configuration/>").toString();
    hosts = new AppMasterHosts(List.of(rank("appmaster"), rank("appmaster2")));
  }

  private EngineSupervisor rank(String kind) {
    Configuration conf = new Configuration(false);
    EngineSites made =
        new EngineSites() {
          @Override
          public EngineSite create(String engineId, String user, EngineSizing sizing) {
            SimulatedContainers containers =
                new SimulatedContainers(
                    world,
                    container -> places.put(container, engineId),
                    spec -> JOB_MS,
                    world::threadsGone);
            sites.add(new SimulatedSite(world, none, containers, this, sites.size() + 1L));
            return sites.get(sites.size() - 1);
          }

          @Override
          public List<Left> left(EngineSizing whole) {
            return List.of();
          }
        };
    return new EngineSupervisor(
        kind,
        "sim",
        conf,
        made,
        EngineShares.ofAppMasters(conf, 0),
        new AdmissionLedger(Long.MAX_VALUE),
        world);
  }

  private void launchAfter(long ms, String container, String user) {
    ContainerLaunchSpec spec =
        new ContainerLaunchSpec().withIdentity(container, user, 1_536).withFiles(jobFile, "");
    world.after(
        ms,
        () ->
            world.begin(
                container,
                () -> {
                  try {
                    world.await(hosts.submit(container, spec), Long.MAX_VALUE);
                  } catch (EngineUnavailableException e) {
                    places.put(container, e.getMessage());
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                }));
  }

  @Test
  void jobsThatOverlapHaveAHostEachAndLaterOnesTheFirstThatIsFree() throws InterruptedException {
    launchAfter(0, "a", "ann");
    launchAfter(100, "b", "ann");
    launchAfter(5_000, "c", "ann");
    launchAfter(5_000, "d", "bob");
    launchAfter(30_000, "e", "ann");
    launchAfter(31_000, "f", "ann");
    world.run(60_000);
    assertThat(places)
        .containsEntry("a", "appmaster-ann-sim-1")
        .containsEntry("b", "appmaster2-ann-sim-1")
        .containsEntry("d", "appmaster-bob-sim-2")
        .containsEntry("e", "appmaster-ann-sim-1")
        .containsEntry("f", "appmaster2-ann-sim-1");
    assertThat(places.get("c")).contains("2 hosts of ann").contains("mammoth.appmaster.hosts");
    assertThat(hosts.engines()).hasSize(3);
  }

  @Test
  void aJobIsFoundSignalledAndEndedWhereverItRuns() throws InterruptedException {
    launchAfter(0, "a", "ann");
    launchAfter(100, "b", "ann");
    List<Boolean> held = new ArrayList<>();
    world.after(
        4_000,
        () -> {
          held.add(hosts.holds("a"));
          held.add(hosts.holds("b"));
          held.add(hosts.holds("c"));
        });
    world.after(5_000, () -> world.begin("kill", () -> hosts.signal("b", 9)));
    world.after(6_000, () -> held.add(hosts.holds("b")));
    world.run(60_000);
    assertThat(held).containsExactly(true, true, false, false);
    List<EngineHandle> drained = hosts.drain(host -> true, "as told");
    assertThat(drained).hasSize(2);
    world.after(1_000, () -> world.begin("replace", () -> drained.forEach(hosts::replace)));
    world.run(world.ms() + 10_000);
    assertThat(hosts.engines())
        .extracting(EngineHandle::engineId)
        .containsExactlyInAnyOrder("appmaster-ann-sim-2", "appmaster2-ann-sim-2");
  }

  @Test
  void attemptsOfAJobHaveItsNameInCommon() {
    assertThat(AppMasterHosts.application("container_e03_1700000000000_0007_01_000001"))
        .isEqualTo(AppMasterHosts.application("container_e03_1700000000000_0007_03_000001"))
        .isEqualTo("application_1700000000000_0007");
  }
}
