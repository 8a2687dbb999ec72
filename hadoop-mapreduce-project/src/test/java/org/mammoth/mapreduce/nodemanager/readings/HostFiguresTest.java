// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.readings;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.api.status.HostUse;

class HostFiguresTest {

  private static final String STAT =
      """
      cpu  1000 20 300 90000 700 6 54 3 50 0
      cpu0 500 10 150 45000 350 3 27 1 25 0
      cpu1 500 10 150 45000 350 3 27 2 25 0
      intr 1 2 3
      """;
  private static final String MEMINFO =
      """
      MemTotal:       16000000 kB
      MemFree:          500000 kB
      MemAvailable:    9000000 kB
      """;
  private static final String NET =
      """
      Inter-|   Receive                                                |  Transmit
       face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs
          lo: 999 9 0 0 0 0 0 0 999 9 0 0 0 0 0 0
      enp3s0: 1000 9 0 0 0 0 0 0 200 9 0 0 0 0 0 0
       bond0:1000 9 0 0 0 0 0 0 200 9 0 0 0 0 0 0
      """;
  private static final String DISKSTATS =
      """
         7       0 loop0 1 0 8000 1 0 0 8000 0 0 900 0
       259       0 nvme0n1 10 0 2000 5 20 0 4000 6 0 70 11
       259       1 nvme0n1p1 10 0 2000 5 20 0 4000 6 0 70 11
         8       0 sda 1 0 100 5 2 0 300 6 0 8 11
      """;

  @TempDir Path root;

  private final MBeanServer beans = MBeanServerFactory.newMBeanServer();

  private void host(String... devices) throws IOException {
    Files.createDirectories(root.resolve("proc/net"));
    Files.writeString(root.resolve("proc/stat"), STAT);
    Files.writeString(root.resolve("proc/meminfo"), MEMINFO);
    Files.writeString(root.resolve("proc/net/dev"), NET);
    Files.writeString(root.resolve("proc/diskstats"), DISKSTATS);
    for (String device : devices) {
      Files.createDirectories(root.resolve("sys").resolve(device));
    }
  }

  private HostUse read() {
    return new HostFigures(root.resolve("proc"), root.resolve("sys"), beans).read();
  }

  /** As Hadoop registers it. */
  public interface Checks {
    int getGoodLocalDirsDiskUtilizationPerc();

    int getBadLocalDirs();
  }

  /** What the NodeManager's own check found. */
  public static final class Checked implements Checks {
    @Override
    public int getGoodLocalDirsDiskUtilizationPerc() {
      return 41;
    }

    @Override
    public int getBadLocalDirs() {
      return 2;
    }
  }

  @Test
  void countsHardwareOnceWhateverItsNames() throws Exception {
    host(
        "block/nvme0n1/device",
        "block/sda/device",
        "block/loop0",
        "class/net/enp3s0/device",
        "class/net/bond0");
    beans.registerMBean(
        new StandardMBean(new Checked(), Checks.class),
        new ObjectName("Hadoop:service=NodeManager,name=NodeManagerMetrics"));
    assertThat(read())
        .isEqualTo(
            new HostUse(
                2,
                10 * (1000 + 20 + 300 + 6 + 54 + 3),
                16_000_000L * 1024,
                9_000_000L * 1024,
                1000,
                200,
                2,
                2100 * 512,
                4300 * 512,
                78,
                41,
                2));
  }

  @Test
  void countsWhatThereIsWhereNothingIsHardware() throws Exception {
    host("block/nvme0n1", "class/net/bond0");
    HostUse use = read();
    assertThat(use.networkInBytes()).isEqualTo(2000);
    assertThat(use.networkOutBytes()).isEqualTo(400);
    assertThat(use.disks()).isEqualTo(1);
    assertThat(use.diskReadBytes()).isEqualTo(2000 * 512);
    assertThat(use.localDirsUsedPercent()).isEqualTo(-1);
  }

  @Test
  void whatNobodyTellsIsUnknown() {
    assertThat(read()).isEqualTo(new HostUse(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void readsThisHostAsTheJvmDoes() {
    HostUse use = new HostFigures().read();
    OperatingSystemMXBean jvm =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    assertThat(use.cores()).isGreaterThanOrEqualTo(jvm.getAvailableProcessors());
    assertThat(use.memoryBytes()).isGreaterThanOrEqualTo(jvm.getTotalMemorySize());
    assertThat(use.memoryAvailableBytes()).isBetween(1L, use.memoryBytes());
    assertThat(use.cpuMs()).isGreaterThan(jvm.getProcessCpuTime() / 2_000_000);
  }
}
