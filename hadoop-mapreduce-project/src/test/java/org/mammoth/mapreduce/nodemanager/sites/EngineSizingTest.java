// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.memory.MemorySizing;
import org.mammoth.mapreduce.engine.memory.NodeMemory;

class EngineSizingTest {

  private final Configuration conf = new YarnConfiguration();

  @Test
  void isAFractionOfWhatTheNodeOffers() {
    conf.setInt(YarnConfiguration.NM_PMEM_MB, 4000);
    assertThat(EngineSizing.of(conf)).isEqualTo(new EngineSizing(3400, 1870, 1020));
  }

  @Test
  void followsTheHardwareWhenTheNodeManagerDoes() {
    conf.setInt(YarnConfiguration.NM_PMEM_MB, -1);
    conf.setBoolean(YarnConfiguration.NM_ENABLE_HARDWARE_CAPABILITY_DETECTION, true);
    long machineMb =
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize()
            >> 20;
    assertThat(EngineSizing.of(conf).shareMb()).isBetween(256L, machineMb);
  }

  @Test
  void takesWhatItIsTold() {
    conf.setInt("mammoth.engine.memory-mb", 1000);
    conf.set("mammoth.engine.heap-fraction", "0.5");
    conf.set("mammoth.memory.pool-fraction", "0.1");
    conf.set("mammoth.memory.element-fraction", "0.1");
    assertThat(EngineSizing.of(conf)).isEqualTo(new EngineSizing(1000, 400, 100));
  }

  @Test
  void engineAndSupervisorDivideTheSameWhateverGroupsTheyAreIn() {
    conf.setInt(YarnConfiguration.NM_PMEM_MB, 4000);
    EngineSizing sizing = EngineSizing.of(conf, 1, 2000);
    assertThat(sizing.shareMb()).isEqualTo(3400);
    assertThat(sizing.dividedMb()).isEqualTo(2000);
    MemorySizing ofEngine = NodeMemory.size(conf, sizing.shareMb(), sizing.dividedMb());
    assertThat(ofEngine.poolBytes() >> 20).isEqualTo(sizing.directMb()).isEqualTo(600);
    assertThat(ofEngine.heapBytes() >> 20).isEqualTo(sizing.heapMb());
    assertThat(ofEngine.shareBytes() >> 20).isEqualTo(2000);
  }

  @Test
  void aPoolOfAnySizeLeavesDirectMemoryToTasksAndLibraries() {
    for (int node : new int[] {2_000, 64_000, 1_000_000}) {
      conf.setInt(YarnConfiguration.NM_PMEM_MB, node);
      for (int unitKb : new int[] {64, 2048}) {
        conf.setInt("mammoth.memory.unit-kb", unitKb);
        EngineSizing sizing = EngineSizing.of(conf);
        // As PageAligned reserves it.
        double poolMb = sizing.directMb() * (1 + 4095.0 / (unitKb * 1024));
        assertThat(sizing.directLimitMb(conf) - poolMb)
            .as("of %d MiB in units of %d KiB", node, unitKb)
            .isGreaterThan(256 + 30.0 * sizing.shareMb() / 1024);
      }
    }
  }

  @Test
  void admitsWhateverYarnPlacesOnANodeOfAnySize() {
    for (int node = 1024; node < 9000; node += 7) {
      conf.setInt(YarnConfiguration.NM_PMEM_MB, node);
      assertThat(EngineSizing.of(conf).admittedMb(conf)).as("of %d MiB", node).isEqualTo(node);
    }
  }

  @Test
  void admitsNoMoreThanItIsTold() {
    conf.setInt("mammoth.engine.memory-mb", 1000);
    assertThat(EngineSizing.of(conf).admittedMb(conf)).isEqualTo(1000);
    assertThat(EngineSizing.of(conf, 0.5, EngineSizing.UNLIMITED_MB).admittedMb(conf))
        .isEqualTo(500);
  }

  @Test
  void isAPartWhereEnginesOfOthersAreAtWork() {
    conf.setInt("mammoth.engine.memory-mb", 1000);
    assertThat(EngineSizing.of(conf, 0.5, EngineSizing.UNLIMITED_MB).shareMb()).isEqualTo(500);
    assertThatThrownBy(() -> EngineSizing.of(conf, 0.25, EngineSizing.UNLIMITED_MB))
        .hasMessageContaining("250 MiB, its user's part of 1000 MiB")
        .hasMessageContaining("mammoth.engine.memory-mb");
  }

  @Test
  void refusesAShareThatRunsNothing() {
    conf.setInt("mammoth.engine.memory-mb", 100);
    assertThatThrownBy(() -> EngineSizing.of(conf))
        .hasMessageContaining("100 MiB")
        .hasMessageContaining("mammoth.engine.memory-mb");
  }
}
