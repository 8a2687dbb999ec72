// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.io.FileTarget;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.io.WriteStream;
import org.mammoth.mapreduce.engine.SmallMemory;
import org.mammoth.mapreduce.engine.memory.NodeMemory;
import org.mammoth.mapreduce.engine.readings.MemoryReadings;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;

/** Where a container that starts may write. */
class HostedContainerTest {

  @TempDir Path folder;

  @Test
  void itIsGivenNoDirectoryThatIsQuarantined() throws Exception {
    Path bad = Files.createDirectories(folder.resolve("disk1"));
    Path good = Files.createDirectories(folder.resolve("disk2"));
    Configuration conf = new Configuration(false);
    NodeMemory memory = SmallMemory.open(conf, bad, good);
    EngineVitals vitals = new EngineVitals("engine-ann-1", "ann", Clock.systemUTC());
    TaskSurroundings surroundings = new TaskSurroundings(conf, null, vitals, memory);
    ContainerProgram.Factory programs = new ContainerProgram.Tasks(surroundings);
    HostedContainers containers =
        new HostedContainers(conf, vitals, surroundings, programs, Runnable::run, System::nanoTime);
    List<String> appDirs = List.of(bad.resolve("app").toString(), good.resolve("app").toString());
    ContainerLaunchSpec spec =
        new ContainerLaunchSpec()
            .withIdentity("container_1", "ann", 400)
            .withFolders(folder.toString(), folder.toString(), appDirs)
            .withProgram(List.of("h", "1", "attempt_1_0001_m_000001_0", "7"), List.of(), "INFO");
    HostedContainer before = new HostedContainer(spec, surroundings, programs, containers);
    assertThat(before.usableLocalDirs()).isEqualTo(appDirs);

    // Where the directory was there is a file: not even root can write below it.
    Files.delete(bad);
    Files.writeString(bad, "no directory");
    WriteStream spill =
        memory.io().openWrite(new FileTarget(bad.resolve("app/spill")), IoClass.SORT, "a");
    spill.add(new byte[10], 0, 10);
    assertThatThrownBy(() -> spill.finish().get()).hasCauseInstanceOf(IOException.class);
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              HostedContainer after = new HostedContainer(spec, surroundings, programs, containers);
              assertThat(after.usableLocalDirs()).containsExactly(appDirs.get(1));
            });
    assertThat(new MemoryReadings(memory).disks())
        .flatExtracting(disk -> disk.dirs())
        .anyMatch(dir -> dir.path().equals(bad.toString()) && dir.state().equals("QUARANTINED"))
        .anyMatch(dir -> dir.path().equals(good.toString()) && dir.state().equals("HEALTHY"));
    memory.io().close();
  }
}
