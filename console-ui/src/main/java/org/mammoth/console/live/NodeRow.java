// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.live;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mammoth.api.status.NodeSnapshot;
import org.mammoth.console.model.BufferKinds;
import org.mammoth.console.model.CacheSample;
import org.mammoth.console.model.DiskSample;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.HostSample;
import org.mammoth.console.model.MemorySample;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.NodeState;

/**
 * A node in one row, as the stream, the list of nodes and history have it. Sizes in bytes. What a
 * node does not tell is {@link Figures#UNKNOWN}, never 0.
 *
 * @param values by the names of {@link #COLUMNS}
 */
public record NodeRow(
    String id,
    String host,
    String rack,
    String yarnState,
    String version,
    String reach,
    String reason,
    long[] values) {

  /** 1 if the node's engines are not known, or one of them: sums are without them. */
  static final String ENGINES_UNTOLD = "enginesUntold";

  /** 1 if the node's SSD cache is not known: sums are without it. */
  static final String CACHE_UNTOLD = "cacheUntold";

  /** Columns of {@link #values}; a new one goes to the end, as history counts them. */
  public static final List<String> COLUMNS =
      List.of(
          "cap",
          "used",
          "element",
          "sort",
          "send",
          "receive",
          "io",
          "dataCache",
          "mapQuota",
          "reduceQuota",
          "borrowed",
          "pressure",
          "rss",
          "heapUsed",
          "heapMax",
          "gcMs",
          "engines",
          "tasks",
          "waiters",
          "queueDepth",
          "queueHeld",
          "queueOldestMs",
          "writeRate",
          "readRate",
          "ioErrors",
          "fallbacks",
          "cacheTotal",
          "cacheInput",
          "cacheLent",
          "cacheLocalized",
          "cacheHits",
          "cacheMisses",
          "cacheHitBytes",
          "cacheMissBytes",
          "nodes",
          "ioBeside",
          "elementLent",
          "direct",
          "cacheUsed",
          ENGINES_UNTOLD,
          CACHE_UNTOLD,
          "hostCores",
          "hostCpu",
          "hostMemory",
          "hostMemoryAvailable",
          "networkIn",
          "networkOut",
          "hostDisks",
          "hostDiskRead",
          "hostDiskWritten",
          "hostDiskBusy",
          "localDirsUsed",
          "localDirsBad",
          "dfsCapacity",
          "dfsRemaining",
          "dfsVolumesFailed");

  /** Columns a node's SSD cache tells; all others but those of {@link #OWN} are of its engines. */
  private static final Set<String> CACHE =
      Set.of(
          "cacheTotal",
          "cacheInput",
          "cacheLent",
          "cacheLocalized",
          "cacheHits",
          "cacheMisses",
          "cacheHitBytes",
          "cacheMissBytes",
          "cacheUsed");

  /** Columns of the host and of its DataNode's disks. */
  private static final Set<String> HOST =
      Set.copyOf(COLUMNS.subList(COLUMNS.indexOf("hostCores"), COLUMNS.size()));

  /** Columns the console itself knows of each node. */
  private static final Set<String> OWN = Set.of("nodes", ENGINES_UNTOLD, CACHE_UNTOLD);

  /** Columns the NodeManager knows without its engines. */
  private static final Set<String> NODEMANAGER = Set.of("engines", "fallbacks");

  /** Columns of which a cluster's value is the largest of its nodes', not their sum. */
  static final Set<String> MAXIMA = Set.of("queueOldestMs", "localDirsUsed");

  /** Place of a column. */
  public static int column(String name) {
    return COLUMNS.indexOf(name);
  }

  public long value(String column) {
    return values[column(column)];
  }

  static NodeRow of(NodeState node) {
    return new NodeRow(
        node.id(),
        node.host(),
        node.rack(),
        node.yarnState(),
        node.version(),
        node.reach().name(),
        node.reason(),
        values(node));
  }

  private static long[] values(NodeState node) {
    Sum sum = new Sum();
    sum.add("nodes", node.current() ? 1 : 0);
    sum.add(ENGINES_UNTOLD, node.enginesUntold() ? 1 : 0);
    sum.add(CACHE_UNTOLD, node.cacheUntold().isEmpty() ? 0 : 1);
    if (node.sample() != null) {
      sum.engines(node.sample());
    }
    if (node.cache() != null) {
      sum.cache(node.cache());
    }
    if (node.sample() != null && node.sample().host() != null) {
      sum.host(node.sample().host());
    }
    if (node.dfs() != null) {
      sum.add("dfsCapacity", node.dfs().capacity());
      sum.add("dfsRemaining", node.dfs().remaining());
      sum.add("dfsVolumesFailed", node.dfs().failedVolumes());
    }
    return sum.values;
  }

  /** Adds up columns by name. */
  private static final class Sum {
    private static final Map<String, Integer> PLACES = new HashMap<>();

    static {
      for (int i = 0; i < COLUMNS.size(); i++) {
        PLACES.put(COLUMNS.get(i), i);
      }
    }

    private final long[] values = Figures.unknown(COLUMNS.size());

    void add(String column, long value) {
      int place = PLACES.get(column);
      values[place] = Figures.sum(values[place], value);
    }

    void engines(NodeSample sample) {
      List<EngineSample> told = sample.engines().stream().filter(EngineSample::told).toList();
      add("engines", sample.engines().size());
      add("fallbacks", sample.fallbacks());
      if (told.size() < sample.engines().size()) {
        add(ENGINES_UNTOLD, 1);
      }
      if (!told.isEmpty() || sample.engines().isEmpty()) {
        // Without engines, what they hold is known: nothing.
        COLUMNS.stream()
            .filter(name -> !CACHE.contains(name) && !OWN.contains(name) && !HOST.contains(name))
            .filter(name -> !NODEMANAGER.contains(name))
            // No process takes 0 bytes: 0 is what an engine says whose kernel does not tell.
            .filter(name -> told.isEmpty() || !name.equals("rss"))
            .forEach(name -> add(name, 0));
        told.forEach(this::engine);
      }
    }

    void engine(EngineSample engine) {
      MemorySample memory = engine.memory();
      add("cap", memory.cap());
      add("used", memory.used());
      int kind = PLACES.get("element");
      for (String name : BufferKinds.NAMES) {
        values[kind++] += memory.kind(name);
      }
      add("mapQuota", memory.mapQuota());
      add("reduceQuota", memory.reduceQuota());
      add("borrowed", memory.borrowed());
      add("pressure", memory.pressure() ? 1 : 0);
      add("rss", engine.jvm().rss() > 0 ? engine.jvm().rss() : Figures.UNKNOWN);
      add("heapUsed", engine.jvm().heapUsed());
      add("heapMax", engine.jvm().heapMax());
      add("gcMs", engine.jvm().gcMs());
      add("ioBeside", memory.ioBeside());
      add("elementLent", engine.elements().lent() * engine.elements().slab());
      add("direct", engine.jvm().direct());
      // ApplicationMasters are no tasks.
      add(
          "tasks",
          engine.role().equals(NodeSnapshot.Engine.APP_MASTERS) ? 0 : engine.counts().running());
      add("waiters", memory.waiters().size());
      for (DiskSample disk : engine.disks()) {
        add("queueDepth", disk.depth());
        add("queueHeld", disk.heldBytes());
        int oldest = PLACES.get("queueOldestMs");
        values[oldest] = Math.max(values[oldest], disk.oldestAgeMs());
        add("writeRate", disk.rate("WRITE"));
        add("readRate", disk.rate("READ"));
        add("ioErrors", disk.errors());
      }
    }

    void host(HostSample host) {
      add("hostCores", host.cores());
      add("hostCpu", host.cpuMillis());
      add("hostMemory", host.memory());
      add("hostMemoryAvailable", host.memoryAvailable());
      add("networkIn", host.networkIn());
      add("networkOut", host.networkOut());
      add("hostDisks", host.disks());
      add("hostDiskRead", host.diskRead());
      add("hostDiskWritten", host.diskWritten());
      add("hostDiskBusy", host.diskBusyMillis());
      add("localDirsUsed", host.localDirsUsedPercent());
      add("localDirsBad", host.badLocalDirs());
    }

    void cache(CacheSample cache) {
      add("cacheTotal", cache.total());
      add("cacheInput", cache.inputUsed());
      add("cacheLent", cache.lentBytes());
      add("cacheLocalized", cache.localizedUsed());
      add("cacheUsed", cache.inputUsed() + cache.localizedUsed());
      add("cacheHits", cache.hits());
      add("cacheMisses", cache.misses());
      add("cacheHitBytes", cache.hitBytes());
      add("cacheMissBytes", cache.missBytes());
    }
  }
}
