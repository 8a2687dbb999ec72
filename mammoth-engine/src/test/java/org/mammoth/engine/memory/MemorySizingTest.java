// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemorySizingTest {

  private static final long GIB = 1L << 30;

  /** No limit. */
  private static final long NONE = Long.MAX_VALUE;

  @TempDir private Path root;
  private final Configuration conf = new Configuration(false);

  @Test
  void dividesTheShare() {
    MemorySizing sizing = MemorySizing.of(conf, 8 * GIB, NONE, 8, GIB / 8);
    assertThat(sizing.poolUnits()).isEqualTo(1228);
    assertThat(sizing.elementSlabs()).isEqualTo(1228);
    assertThat(sizing.heapBytes() + sizing.poolBytes())
        .as("the heap fraction of the share")
        .isEqualTo((long) (8 * GIB * 0.85));
    assertThat(sizing.ledgerBytes())
        .isEqualTo(sizing.poolBytes() + sizing.elementPoolBytes() + GIB / 8);
    assertThat(sizing.explanation())
        .contains("8192 MiB of this node", "1228 units of 2048 KiB", "direct", "8 map slots");
  }

  @Test
  void aPoolOnTheHeapLeavesTheHeapItsSize() {
    conf.set("mammoth.memory.buffer.type", "array");
    conf.set("mammoth.memory.element-queue-mb", "24");
    MemorySizing sizing = MemorySizing.of(conf, 8 * GIB, NONE, 4, 0);
    assertThat(sizing.heapBytes()).isEqualTo((long) (8 * GIB * 0.85));
    assertThat(sizing.elementSlabs()).as("24 in the queue and two more, per slot").isEqualTo(104);
  }

  @Test
  void obeysTheHeapItIsTold() {
    conf.set("mammoth.engine.java.opts", "-Xmx8g -ea  -XX:MaxHeapSize=1536M");
    assertThat(MemorySizing.of(conf, 4 * GIB, NONE, 2, 0).heapBytes()).isEqualTo(3 * GIB / 2);
    conf.set("mammoth.memory.buffer.type", "heap");
    assertThatThrownBy(() -> MemorySizing.of(conf, 4 * GIB, NONE, 2, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1536 MiB of heap (mammoth.engine.java.opts)")
        .hasMessageContaining("mammoth.memory.pool-fraction")
        .hasMessageContaining("or raise the -Xmx in mammoth.engine.java.opts");
    conf.set("mammoth.engine.java.opts", "-XX:+UseSerialGC -Xmx" + 3 * GIB);
    assertThat(MemorySizing.of(conf, 4 * GIB, NONE, 2, 0).heapBytes()).isEqualTo(3 * GIB);
  }

  @Test
  void obeysTheControlGroup() throws IOException {
    write("proc/self/cgroup", "0::/a/b\n");
    write("sys/fs/cgroup/a/memory.max", String.valueOf(2 * GIB));
    write("sys/fs/cgroup/a/b/memory.max", "max\n");
    assertThat(CgroupLimit.read(root)).hasValue(2 * GIB);
    long limit = CgroupLimit.read(root).getAsLong();
    MemorySizing sizing = MemorySizing.of(conf, 8 * GIB, limit, 2, 0);
    assertThat(sizing.shareBytes()).isEqualTo(2 * GIB);
    assertThat(sizing.explanation()).contains("control group, not the 8192 MiB");
  }

  @Test
  void readsTheFirstVersionToo() throws IOException {
    write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/x\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assertThat(CgroupLimit.read(root)).isEmpty();
    write("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "1073741824\n");
    assertThat(CgroupLimit.read(root)).hasValue(GIB);
    write("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "many\n");
    assertThatThrownBy(() -> CgroupLimit.read(root))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'many'");
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void whatDoesNotFitNamesTheKeys() {
    assertThatThrownBy(() -> MemorySizing.of(conf, GIB / 64, NONE, 8, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("mammoth.memory.pool-fraction")
        .hasMessageContaining("8 map slots need 4 each");
    conf.set("mammoth.memory.element-fraction", "0.01");
    assertThatThrownBy(() -> MemorySizing.of(conf, GIB, NONE, 8, 0))
        .hasMessageContaining("10 elements, 8 map slots need 3 each")
        .hasMessageContaining("mammoth.memory.element-fraction");
    conf.set("mammoth.memory.pool-fraction", "0.7");
    assertThatThrownBy(() -> MemorySizing.of(conf, GIB, NONE, 2, 0))
        .hasMessageContaining("left to tasks");
  }

  @Test
  void theLeakCheckIsSwitchedByItsKey() {
    MemorySizing sizing = MemorySizing.of(conf, GIB / 4, NONE, 2, 0);
    assertThat(sizing.makePool(conf)).isExactlyInstanceOf(CachePool.class);
    conf.set("mammoth.memory.leak-check", "true");
    assertThat(sizing.makePool(conf)).isInstanceOf(LeakCheckingPool.class);
  }

  @Test
  void watermarksMustBeInOrder() {
    conf.set("mammoth.memory.watermark.low", "0.95");
    assertThatThrownBy(() -> SchedulerSettings.of(conf))
        .hasMessageContaining("mammoth.memory.watermark.low");
    conf.set("mammoth.memory.watermark.low", "0.5");
    assertThat(SchedulerSettings.of(conf).lowWatermark()).isEqualTo(0.5);
    assertThat(SchedulerSettings.of(conf).guaranteedUnits()).isEqualTo(4);
  }
}
