// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.cli;

import java.io.PrintWriter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.api.status.DiskUse;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.api.status.MemoryUse;
import org.mammoth.api.status.NodeSnapshot;

/** The memory and disks of a node's engines as text. */
final class SnapshotReports {

  private static final List<String> KINDS =
      List.of("ELEMENT", "SORT", "SEND", "RECEIVE", "IO", "DATA_CACHE");

  private final PrintWriter out;

  SnapshotReports(PrintWriter out) {
    this.out = out;
  }

  /** What {@code -memory} prints of a node. */
  void memory(String address, NodeSnapshot node) {
    out.printf("%s%s%n", address, hasMemory(node) ? ":" : ": no engine runs tasks");
    for (NodeSnapshot.Engine engine : node.engines()) {
      if (memoryOf(engine) != null) {
        head(engine);
        summary("  ", engine.snapshot());
        leases(engine.snapshot());
        jobs(memoryOf(engine));
        waiters(memoryOf(engine));
      } else if (engine.snapshot() == null) {
        head(engine);
      }
    }
  }

  /** What {@code -disks} prints of a node. */
  void disks(String address, NodeSnapshot node) {
    out.printf("%s%s%n", address, hasMemory(node) ? ":" : ": no engine runs tasks");
    for (NodeSnapshot.Engine engine : node.engines()) {
      if (memoryOf(engine) != null) {
        head(engine);
        engine.snapshot().disks().forEach(this::disk);
      } else if (engine.snapshot() == null) {
        head(engine);
      }
    }
  }

  /** What {@code -status} adds about a node: a few lines for each engine. */
  void brief(NodeSnapshot node) {
    for (NodeSnapshot.Engine engine : node.engines()) {
      if (memoryOf(engine) != null) {
        out.printf("  memory of %s%s%n", engine.engineId(), age(engine));
        summary("    ", engine.snapshot());
        for (DiskUse disk : engine.snapshot().disks()) {
          disk.dirs().stream().filter(SnapshotReports::isLeftOut).forEach(this::leftOut);
        }
      }
    }
  }

  private static boolean hasMemory(NodeSnapshot node) {
    return node.engines().stream()
        .anyMatch(engine -> !engine.role().equals(NodeSnapshot.Engine.APP_MASTERS));
  }

  private static MemoryUse memoryOf(NodeSnapshot.Engine engine) {
    return engine.snapshot() == null ? null : engine.snapshot().memory();
  }

  private void head(NodeSnapshot.Engine engine) {
    out.printf("  engine %s of %s%s%n", engine.engineId(), engine.user(), age(engine));
  }

  private static String age(NodeSnapshot.Engine engine) {
    if (engine.problem().isEmpty()) {
      return "";
    }
    return engine.ageMs() < 0
        ? ", nothing is known: " + engine.problem()
        : ", as it was " + Units.time(engine.ageMs()) + " ago: " + engine.problem();
  }

  private void summary(String indent, EngineSnapshot engine) {
    MemoryUse memory = engine.memory();
    out.printf(
        "%sleased %s of %s (%s), pool %s of %s%s%s, RSS %s%n",
        indent,
        Units.bytes(memory.usedBytes()),
        Units.bytes(memory.capBytes()),
        Units.percent(memory.usedBytes(), memory.capBytes()),
        Units.bytes(memory.poolUsedBytes()),
        Units.bytes(memory.poolBytes()),
        memory.poolLimitBytes() < memory.poolBytes()
            ? ", limited to " + Units.bytes(memory.poolLimitBytes()) + " beside other users"
            : "",
        memory.pressure() ? " (under pressure)" : "",
        Units.bytes(engine.jvm().residentBytes()));
    out.printf(
        "%squotas: map %s (sort buffer %s, borrowed %s), reduce %s; %d decisions%n",
        indent,
        Units.bytes(memory.mapQuotaBytes()),
        Units.bytes(memory.sortBufferBytes()),
        Units.bytes(memory.borrowedBytes()),
        Units.bytes(memory.reduceQuotaBytes()),
        memory.nextDecision());
    out.printf(
        "%selements: %d of %d in use; send buffer: %s of %d outputs, %d of them in memory%n",
        indent,
        engine.elements().lentSlabs(),
        engine.elements().slabs(),
        Units.bytes(engine.send().heldBytes()),
        engine.send().outputs(),
        engine.send().heldOutputs());
    DataCacheReport.summary(out, indent, engine.dataCache());
  }

  private void leases(EngineSnapshot engine) {
    Map<List<String>, Map<String, Long>> byWhom = new LinkedHashMap<>();
    Map<List<String>, Integer> attempts = new HashMap<>();
    for (MemoryUse.Lease lease : engine.memory().leases()) {
      List<String> whom = List.of(lease.user(), lease.job(), lease.attempt());
      byWhom
          .computeIfAbsent(whom, w -> new HashMap<>())
          .merge(lease.kind(), lease.bytes(), Long::sum);
      attempts.merge(whom, lease.attempts(), Math::max);
    }
    Map<String, Integer> slabs = new HashMap<>();
    engine.elements().maps().forEach(map -> slabs.put(map.attempt(), map.slabs()));
    TextTable table =
        new TextTable(
            "USER",
            "JOB",
            "ATTEMPT",
            "ELEMENT",
            "SORT",
            "SEND",
            "RECEIVE",
            "IO",
            "DATA_CACHE",
            "TOTAL",
            "SLABS");
    byWhom.forEach(
        (whom, kinds) -> {
          Object[] cells = new Object[KINDS.size() + 5];
          cells[0] = whom.get(0);
          cells[1] = whom.get(1);
          cells[2] = whom.get(2).isEmpty() ? "(" + attempts.get(whom) + " ended)" : whom.get(2);
          for (int kind = 0; kind < KINDS.size(); kind++) {
            Long bytes = kinds.get(KINDS.get(kind));
            cells[3 + kind] = bytes == null ? "" : Units.bytes(bytes);
          }
          cells[3 + KINDS.size()] =
              Units.bytes(kinds.values().stream().mapToLong(Long::longValue).sum());
          cells[4 + KINDS.size()] = slabs.getOrDefault(whom.get(2), 0);
          table.row(cells);
        });
    table.print(out, "    ");
  }

  private void jobs(MemoryUse memory) {
    TextTable table =
        new TextTable(
            "JOB", "USER", "WEIGHT", "MAPS", "REDUCES", "SORT", "SEND", "RECEIVE", "PEAK");
    for (MemoryUse.Job job : memory.jobs()) {
      table.row(
          job.job(),
          job.user(),
          job.weight(),
          job.maps(),
          job.reduces(),
          Units.bytes(job.sortBytes()),
          Units.bytes(job.sendBytes()),
          Units.bytes(job.receiveBytes()),
          Units.bytes(job.sortPeakBytes()));
    }
    table.print(out, "    ");
  }

  private void waiters(MemoryUse memory) {
    TextTable table = new TextTable("WAITING", "FOR", "SINCE", "PASSED-BY");
    for (MemoryUse.Waiter waiter : memory.waiters()) {
      table.row(waiter.attempt(), waiter.kind(), Units.time(waiter.waitedMs()), waiter.passedBy());
    }
    table.print(out, "    ");
  }

  private void disk(DiskUse disk) {
    out.printf(
        "    disk %s: %d in flight%s%n",
        disk.disk(),
        disk.inFlight(),
        disk.inFlight() == 0 ? "" : ", the longest for " + Units.time(disk.longestInFlightMs()));
    for (DiskUse.Dir dir : disk.dirs()) {
      if (isLeftOut(dir)) {
        leftOut(dir);
      } else {
        out.printf("      %s in use%n", dir.path());
      }
    }
    TextTable table =
        new TextTable(
            "CLASS", "DIRECTION", "FILES", "DEPTH", "HELD", "OLDEST", "MOVED", "RATE", "ERRORS");
    for (DiskUse.Lane lane : disk.lanes()) {
      if (lane.files() + lane.totalBytes() + lane.errors() > 0) {
        table.row(
            lane.ioClass(),
            lane.direction(),
            lane.files(),
            lane.depthUnits(),
            Units.bytes(lane.heldBytes()),
            Units.time(lane.oldestAgeMs()),
            Units.bytes(lane.totalBytes()),
            Units.bytes(lane.bytesPerSecond()) + "/s",
            lane.errors());
      }
    }
    table.print(out, "      ");
  }

  private static boolean isLeftOut(DiskUse.Dir dir) {
    return !dir.state().equals("HEALTHY");
  }

  private void leftOut(DiskUse.Dir dir) {
    out.printf(
        "      %s %s: %s; tried again in %s%n",
        dir.path(), dir.state(), dir.reason(), Units.time(dir.retryInMs()));
  }
}
