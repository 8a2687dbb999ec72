// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.status;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.mammoth.api.status.DiskUse;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.api.status.MemoryUse;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.io.IoDirection;
import org.mammoth.engine.memory.MemoryRule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main numbers of one or several engines in Hadoop's metrics system, one flat record, for JMX,
 * Prometheus and Hadoop's other sinks. Of several engines they are sums over those that run, so
 * totals fall when an engine ends.
 */
public final class EngineMetrics implements MetricsSource {

  private static final Logger LOG = LoggerFactory.getLogger(EngineMetrics.class);

  private static final String RECORD = "MammothEngine";
  private static final String CONTEXT = "mammoth";

  private final Supplier<List<EngineSnapshot>> engines;

  EngineMetrics(Supplier<List<EngineSnapshot>> engines) {
    this.engines = engines;
  }

  /**
   * Adds the numbers to this process's metrics system.
   *
   * @param name of the source, and of its JMX bean
   */
  public static void register(String name, Supplier<List<EngineSnapshot>> engines) {
    try {
      DefaultMetricsSystem.instance()
          .register(
              name, "Memory, disks and tasks of Mammoth's engines", new EngineMetrics(engines));
    } catch (MetricsException e) {
      LOG.warn("No metrics {}: {}", name, e.getMessage());
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(RECORD).setContext(CONTEXT);
    List<EngineSnapshot> now = engines.get();
    gauges(now)
        .forEach((name, value) -> record.addGauge(Interns.info(name, "now"), value.longValue()));
    totals(now)
        .forEach(
            (name, value) ->
                record.addCounter(
                    Interns.info(name, "since the engine started"), value.longValue()));
  }

  private static Map<String, Long> gauges(List<EngineSnapshot> engines) {
    Map<String, Long> sums = new TreeMap<>();
    sums.put("Engines", (long) engines.size());
    for (String name :
        List.of(
            "MemoryCapBytes",
            "MemoryUsedBytes",
            "PoolBytes",
            "PoolLimitBytes",
            "PoolUsedBytes",
            "ElementBytes",
            "ElementUsedBytes",
            "MapQuotaBytes",
            "ReduceQuotaBytes",
            "EnginesUnderPressure",
            "WaitingRequests",
            "SendHeldBytes",
            "DataCacheHeldBytes",
            "DataCacheFiles",
            "QuarantinedDirs",
            "FullDirs",
            "IoDepthUnits",
            "IoOldestAgeMs",
            "TasksRunning",
            "ResidentBytes",
            "HeapUsedBytes")) {
      sums.put(name, 0L);
    }
    for (EngineSnapshot engine : engines) {
      add(sums, "TasksRunning", engine.counts().running());
      add(sums, "ResidentBytes", engine.jvm().residentBytes());
      add(sums, "HeapUsedBytes", engine.jvm().heapUsedBytes());
      if (engine.memory() != null) {
        addMemory(sums, engine);
      }
      engine.disks().forEach(disk -> addDisk(sums, disk));
    }
    return sums;
  }

  private static void addMemory(Map<String, Long> sums, EngineSnapshot engine) {
    MemoryUse memory = engine.memory();
    add(sums, "MemoryCapBytes", memory.capBytes());
    add(sums, "MemoryUsedBytes", memory.usedBytes());
    add(sums, "PoolBytes", memory.poolBytes());
    add(sums, "PoolLimitBytes", memory.poolLimitBytes());
    add(sums, "PoolUsedBytes", memory.poolUsedBytes());
    add(sums, "MapQuotaBytes", memory.mapQuotaBytes());
    add(sums, "ReduceQuotaBytes", memory.reduceQuotaBytes());
    add(sums, "EnginesUnderPressure", memory.pressure() ? 1 : 0);
    add(sums, "WaitingRequests", memory.waiters().size());
    add(sums, "ElementBytes", engine.elements().slabBytes() * engine.elements().slabs());
    add(sums, "ElementUsedBytes", engine.elements().slabBytes() * engine.elements().lentSlabs());
    add(sums, "SendHeldBytes", engine.send().heldBytes());
    if (engine.dataCache() != null) {
      add(sums, "DataCacheHeldBytes", engine.dataCache().heldBytes());
      add(sums, "DataCacheFiles", engine.dataCache().files());
    }
  }

  private static void addDisk(Map<String, Long> sums, DiskUse disk) {
    for (DiskUse.Dir dir : disk.dirs()) {
      add(sums, "QuarantinedDirs", dir.state().equals("QUARANTINED") ? 1 : 0);
      add(sums, "FullDirs", dir.state().equals("FULL") ? 1 : 0);
    }
    for (DiskUse.Lane lane : disk.lanes()) {
      add(sums, "IoDepthUnits", lane.depthUnits());
      sums.merge("IoOldestAgeMs", lane.oldestAgeMs(), Math::max);
    }
  }

  private static Map<String, Long> totals(List<EngineSnapshot> engines) {
    Map<String, Long> sums = new TreeMap<>();
    for (String name :
        List.of(
            "TasksStarted",
            "TasksFinished",
            "TasksKilled",
            "TasksFailed",
            "TasksAborted",
            "GcCount",
            "GcMs",
            "SpilledBytes",
            "IoErrors",
            "DataCacheHits",
            "DataCacheMisses",
            "DataCacheReadBytes")) {
      sums.put(name, 0L);
    }
    for (MemoryRule rule : MemoryRule.values()) {
      sums.put("Decisions" + camel(rule.name()), 0L);
    }
    for (IoClass ioClass : IoClass.values()) {
      for (IoDirection direction : IoDirection.values()) {
        sums.put(io(direction.name(), ioClass.name()), 0L);
      }
    }
    for (EngineSnapshot engine : engines) {
      add(sums, "TasksStarted", engine.counts().started());
      add(sums, "TasksFinished", engine.counts().finished());
      add(sums, "TasksKilled", engine.counts().killed());
      add(sums, "TasksFailed", engine.counts().failed());
      add(sums, "TasksAborted", engine.counts().aborted());
      add(sums, "GcCount", engine.jvm().gcCount());
      add(sums, "GcMs", engine.jvm().gcMs());
      if (engine.dataCache() != null) {
        add(sums, "DataCacheHits", engine.dataCache().hits());
        add(sums, "DataCacheMisses", engine.dataCache().misses());
        add(sums, "DataCacheReadBytes", engine.dataCache().readBytes());
      }
      if (engine.memory() != null) {
        engine
            .memory()
            .decisionsByRule()
            .forEach((rule, count) -> add(sums, "Decisions" + camel(rule), count));
      }
      engine.disks().forEach(disk -> disk.lanes().forEach(lane -> addTotals(sums, lane)));
    }
    return sums;
  }

  private static void addTotals(Map<String, Long> sums, DiskUse.Lane lane) {
    add(sums, io(lane.direction(), lane.ioClass()), lane.totalBytes());
    add(sums, "IoErrors", lane.errors());
    // Final output is not a spill, whoever it is written for.
    boolean spill = lane.ioClass().equals("SORT") || lane.ioClass().equals("RECEIVE");
    add(sums, "SpilledBytes", spill && lane.direction().equals("WRITE") ? lane.totalBytes() : 0);
  }

  private static String io(String direction, String ioClass) {
    return "Io" + camel(direction) + "Bytes" + camel(ioClass);
  }

  private static void add(Map<String, Long> sums, String name, long value) {
    sums.merge(name, value, Long::sum);
  }

  /** NO_ROOM to NoRoom. */
  private static String camel(String constant) {
    StringBuilder name = new StringBuilder();
    for (String word : constant.split("_")) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }
}
