// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.readings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.api.status.EngineDecisions;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.api.status.MemoryUse;
import org.mammoth.api.status.StatusJson;
import org.mammoth.engine.memory.BufferKind;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.ElementShare;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.LedgerRow;
import org.mammoth.engine.memory.MapMemory;
import org.mammoth.engine.memory.MemoryRule;
import org.mammoth.engine.memory.ReduceMemory;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.PartitionIndex;
import org.mammoth.mapreduce.engine.containers.ContainerProgram;
import org.mammoth.mapreduce.engine.containers.EngineVitals;
import org.mammoth.mapreduce.engine.containers.HostedContainers;
import org.mammoth.mapreduce.engine.containers.TaskSurroundings;
import org.mammoth.mapreduce.engine.memory.NodeMemory;

/** What an engine tells of a memory that the test uses. */
class EngineReadingsTest {

  private static final int UNIT = 64 << 10;
  private static final String JOB = "job_1_0001";

  @TempDir Path folder;

  private NodeMemory memory;
  private EngineVitals vitals;
  private HostedContainers containers;
  private EngineReadings readings;

  @BeforeEach
  void allocate() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set(YarnConfiguration.NM_LOCAL_DIRS, folder.toString());
    conf.setInt("mammoth.memory.unit-kb", UNIT >> 10);
    conf.setInt("mammoth.memory.element-queue-mb", 4);
    conf.set("mammoth.memory.pool-fraction", "0.05");
    System.setProperty(NodeMemory.SHARE_PROPERTY, "1024");
    try {
      memory = NodeMemory.open(conf);
    } finally {
      System.clearProperty(NodeMemory.SHARE_PROPERTY);
    }
    vitals = new EngineVitals("engine-ann-1", "ann", Clock.systemUTC());
    TaskSurroundings surroundings = new TaskSurroundings(conf, null, vitals, memory);
    containers =
        new HostedContainers(
            conf,
            vitals,
            surroundings,
            new ContainerProgram.Tasks(surroundings),
            Runnable::run,
            System::nanoTime);
    readings = new EngineReadings(vitals, containers, memory, System::nanoTime);
  }

  @AfterEach
  void close() {
    memory.io().close();
  }

  private static LeaseOwner attempt(String name) {
    return new LeaseOwner("ann", JOB, "attempt_1_0001_" + name);
  }

  private static CacheFile fill(UnitSource source, int units) {
    CacheFile file = new CacheFile(source);
    byte[] bytes = new byte[units * source.unitBytes()];
    assertThat(file.tryAppend(bytes, 0, bytes.length)).isTrue();
    file.finish();
    return file;
  }

  @Test
  void leasesAddUpAndEndedAttemptsAreOne() throws Exception {
    long unit = memory.scheduler().unitBytes();
    for (int map = 0; map < 3; map++) {
      MapMemory ended = memory.scheduler().registerMap(attempt("m_00000" + map + "_0"), 1);
      PartitionIndex index = new PartitionIndex(1);
      index.set(0, 0, 2 * unit, 2 * unit);
      memory
          .sendBuffer()
          .publish(
              new MapOutput(
                  JOB,
                  attempt("m_00000" + map + "_0").attempt(),
                  folder.resolve("file.out" + map).toString(),
                  index,
                  map == 2 ? null : fill(ended.send(), 2),
                  null));
      ended.close();
    }
    MapMemory running = memory.scheduler().registerMap(attempt("m_000007_0"), 1);
    CacheFile sorted = fill(running.sort(), 3);
    ElementShare elements = memory.elements().open(attempt("m_000007_0"));
    byte[] slab = elements.take();
    ReduceMemory reduce = memory.scheduler().registerReduce(attempt("r_000000_0"), 1);

    EngineSnapshot now = readings.snapshot();
    MemoryUse use = now.memory();
    assertThat(sum(use.leases(), null))
        .isEqualTo(use.usedBytes())
        .isLessThanOrEqualTo(use.capBytes());
    for (BufferKind kind : BufferKind.values()) {
      assertThat(sum(use.leases(), kind)).as(kind.name()).isEqualTo(use.byKind().get(kind.name()));
    }
    assertThat(use.byKind())
        .containsEntry("SORT", 3 * unit)
        .containsEntry("SEND", 4 * unit)
        .containsEntry("ELEMENT", now.elements().slabBytes() * now.elements().slabs());
    assertThat(use.poolUsedBytes()).isEqualTo(7 * unit);
    assertThat(use.runningMaps()).isEqualTo(1);
    assertThat(use.reduces()).hasSize(1);
    assertThat(use.jobs()).hasSize(1);
    assertThat(use.leases())
        .contains(new MemoryUse.Lease("ann", JOB, "", 2, "SEND", 4 * unit))
        .contains(new MemoryUse.Lease("ann", JOB, "", 1, "SORT", 3 * unit));
    assertThat(now.send().outputs()).isEqualTo(3);
    assertThat(now.send().heldOutputs()).isEqualTo(2);
    assertThat(now.send().heldBytes()).isEqualTo(4 * unit);
    assertThat(now.send().fileBytes()).isEqualTo(6 * unit);
    assertThat(now.elements().lentSlabs()).isEqualTo(1);
    assertThat(now.elements().maps().get(0).slabs()).isEqualTo(1);
    assertThat(now.disks()).anyMatch(disk -> !disk.dirs().isEmpty());
    assertThat(now.jvm().heapUsedBytes()).isPositive();
    assertThat(now.jvm().threads()).isPositive();

    elements.give(slab);
    elements.close();
    sorted.close();
    running.close();
    reduce.close();
    memory.sendBuffer().forget(JOB);
    memory.scheduler().endJob(JOB);
    assertThat(readings.snapshot().memory().poolUsedBytes()).isZero();
    assertThat(new StatusJson().read(readings.snapshotJson(), EngineSnapshot.class).memory().jobs())
        .isEmpty();
  }

  private static long sum(List<MemoryUse.Lease> leases, BufferKind kind) {
    return leases.stream()
        .filter(lease -> kind == null || lease.kind().equals(kind.name()))
        .mapToLong(MemoryUse.Lease::bytes)
        .sum();
  }

  @Test
  void runningAttemptsAndTheEnginesOwnKeepTheirNames() {
    List<LedgerRow> rows =
        List.of(
            new LedgerRow(attempt("m_1"), BufferKind.SORT, 5),
            new LedgerRow(attempt("m_2"), BufferKind.SORT, 6),
            new LedgerRow(attempt("m_3"), BufferKind.SORT, 7),
            new LedgerRow(attempt("m_4"), BufferKind.SORT, 0),
            new LedgerRow(new LeaseOwner("engine", "", "disks"), BufferKind.IO, 9));
    assertThat(MemoryReadings.leases(rows, attempt("m_2").attempt()::equals))
        .containsExactlyInAnyOrder(
            new MemoryUse.Lease("engine", "", "disks", 1, "IO", 9),
            new MemoryUse.Lease("ann", JOB, attempt("m_2").attempt(), 1, "SORT", 6),
            new MemoryUse.Lease("ann", JOB, "", 2, "SORT", 12));
  }

  @Test
  void decisionsAreNumberedAndTimed() {
    long before = System.currentTimeMillis();
    for (int map = 0; map < 5; map++) {
      MapMemory one = memory.scheduler().registerMap(attempt("m_00000" + map + "_0"), 1);
      fill(one.sort(), 1).close();
      one.close();
    }
    long after = System.currentTimeMillis();
    EngineDecisions all = readings.decisions(-1, 100);
    assertThat(all.decisions())
        .extracting(EngineDecisions.Decision::sequence)
        .containsExactlyElementsOf(LongStream.range(0, all.next()).boxed().toList());
    assertThat(all.decisions())
        .allMatch(one -> one.atMs() >= before - 50 && one.atMs() <= after + 50)
        .anyMatch(
            one -> one.action().equals("GRANT") && one.bytes() == memory.scheduler().unitBytes())
        .anyMatch(one -> one.rule().equals("ENDED"));
    assertThat(readings.decisions(3, 2).decisions())
        .extracting(EngineDecisions.Decision::sequence)
        .containsExactly(3L, 4L);
    assertThat(readings.decisions(all.next(), 5).decisions()).isEmpty();
    MemoryUse use = readings.snapshot().memory();
    assertThat(use.nextDecision()).isEqualTo(all.next());
    assertThat(use.decisionsByRule().keySet())
        .containsExactly(Arrays.stream(MemoryRule.values()).map(Enum::name).toArray(String[]::new));
    assertThat(use.decisionsByRule().get("ENDED")).isGreaterThanOrEqualTo(5);
  }

  @Test
  void whoWaitsIsSeen() throws Exception {
    MapMemory map = memory.scheduler().registerMap(attempt("m_000001_0"), 1);
    ReduceMemory reduce = memory.scheduler().registerReduce(attempt("r_000000_0"), 1);
    int units = (int) (readings.snapshot().memory().poolBytes() / memory.scheduler().unitBytes());
    CacheFile all = fill(map.sort(), units);
    Thread waiter =
        new Thread(
            () -> {
              try {
                reduce.receive().give(reduce.receive().take());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    waiter.start();
    await()
        .atMost(10, TimeUnit.SECONDS)
        .until(() -> readings.snapshot().memory().waiters().size() == 1);
    EngineSnapshot now = readings.snapshot();
    assertThat(now.memory().waiters().get(0).kind()).isEqualTo("RECEIVE");
    assertThat(now.memory().waiters().get(0).attempt()).contains("r_000000_0");
    assertThat(now.memory().pressure()).isTrue();
    all.close();
    waiter.join(10_000);
    assertThat(waiter.isAlive()).isFalse();
    map.close();
    reduce.close();
  }

  @Test
  void allIsReadableOverJmx() throws Exception {
    MapMemory map = memory.scheduler().registerMap(attempt("m_000001_0"), 1);
    fill(map.sort(), 1).close();
    map.close();
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("Test:name=EngineReadingsTest");
    server.registerMBean(new EngineStatusBean(containers, readings), name);
    try {
      StatusJson json = new StatusJson();
      String snapshot = (String) server.getAttribute(name, "Snapshot");
      assertThat(json.read(snapshot, EngineSnapshot.class).engineId()).isEqualTo("engine-ann-1");
      String decisions = (String) server.getAttribute(name, "Decisions");
      assertThat(json.read(decisions, EngineDecisions.class).decisions()).isNotEmpty();
    } finally {
      server.unregisterMBean(name);
    }
  }

  @Test
  void endsAreCountedByTheirKind() {
    for (int i = 0; i < 6; i++) {
      vitals.started();
    }
    vitals.ended(0, false);
    vitals.ended(0, true);
    vitals.ended(1, false);
    vitals.ended(143, true);
    vitals.ended(-100, false);
    assertThat(vitals.counts(1, 0)).isEqualTo(new EngineSnapshot.Counts(1, 6, 1, 1, 2, 1, 0));
  }
}
