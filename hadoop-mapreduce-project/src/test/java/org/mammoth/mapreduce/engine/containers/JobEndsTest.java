// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.PartitionIndex;
import org.mammoth.mapreduce.disks.LocalDirs;
import org.mammoth.mapreduce.engine.EngineServer;
import org.mammoth.mapreduce.engine.EngineService;
import org.mammoth.mapreduce.engine.SmallMemory;
import org.mammoth.mapreduce.engine.memory.NodeMemory;
import org.mammoth.mapreduce.engine.profile.EngineProfiler;
import org.mammoth.mapreduce.engine.readings.EngineReadings;
import org.mammoth.mapreduce.nodemanager.ShuffleService;
import org.mammoth.mapreduce.protocol.EngineHome;

/** The outputs of a job leave the engine when YARN says that it is over, though its files stay. */
class JobEndsTest {

  private static final String JOB = "job_1_0001";

  @TempDir private Path disk;

  @Test
  void anEngineForgetsAJobWhenYarnSaysSo() throws Exception {
    Configuration conf = new YarnConfiguration();
    conf.setInt(ShuffleHandler.SHUFFLE_PORT_CONFIG_KEY, 0);
    conf.setInt("mammoth.shuffle.port", 0);
    NodeMemory memory = SmallMemory.open(conf, disk);
    Path application = Files.createDirectories(disk.resolve("appcache/application_1_0001"));
    Path file = Files.writeString(application.resolve("file.out"), "x");
    memory.open(new LeaseOwner("ann", JOB, "attempt_m_0"), List.of(application.toString()));
    memory
        .sendBuffer()
        .publish(
            new MapOutput(JOB, "attempt_m_0", file.toString(), new PartitionIndex(1), null, null));
    memory.forgetEndedJobs();
    assertThat(memory.sendBuffer().outputs()).hasSize(1);

    EngineVitals vitals = new EngineVitals("engine-ann-1", "ann", Clock.systemUTC());
    TaskSurroundings surroundings = new TaskSurroundings(conf, null, vitals, memory);
    HostedContainers containers =
        new HostedContainers(
            conf,
            vitals,
            surroundings,
            new ContainerProgram.Tasks(surroundings),
            Runnable::run,
            System::nanoTime);
    EngineService service =
        new EngineService(
            containers,
            null,
            new EngineReadings(vitals, containers, memory, System::nanoTime),
            part -> {},
            memory::endJob,
            memory::dropCached,
            new EngineProfiler(
                disk, Clock.systemUTC(), Executors.newSingleThreadScheduledExecutor()));
    Path homes =
        Files.createDirectories(
            LocalDirs.of(conf).homes().get(0),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    EngineHome home = EngineHome.create(homes, "engine-ann-1", "ann");
    Server server = EngineServer.start(conf, home, service);
    home.publish(
        new EngineHome.Address(
            ProcessHandle.current().pid(), server.getListenerAddress().getPort(), 0));
    try (ShuffleService shuffle = new ShuffleService(conf, true)) {
      ApplicationId id = ApplicationId.newInstance(1, 1);
      shuffle.begin(id, "ann", "secret".getBytes(StandardCharsets.UTF_8));
      shuffle.end(id);
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(() -> assertThat(memory.sendBuffer().outputs()).isEmpty());
      assertThat(file).exists();
    } finally {
      server.stop();
      memory.io().close();
    }
  }
}
