package org.mammoth.console.live;

import org.mammoth.console.model.BufferKinds;
import org.mammoth.console.model.CacheSample;
import org.mammoth.console.model.DiskSample;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.MemorySample;
import org.mammoth.console.model.NodeState;

/**
 * A node in one row, as the stream, the list of nodes and history have it. Sizes in bytes.
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

  /** Columns of {@link #values}; a new one goes to the end, as history counts them. */
  public static final java.util.List<String> COLUMNS =
      java.util.List.of(
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
          "direct");

  /** Columns of which a cluster's value is the largest of its nodes', not their sum. */
  static final java.util.Set<String> MAXIMA = java.util.Set.of("queueOldestMs");

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
    if (node.sample() != null) {
      for (EngineSample engine : node.sample().engines()) {
        sum.engine(engine);
      }
      sum.add("fallbacks", node.sample().fallbacks());
    }
    if (node.cache() != null) {
      sum.cache(node.cache());
    }
    sum.add("nodes", node.current() ? 1 : 0);
    return sum.values;
  }

  /** Adds up columns by name. */
  private static final class Sum {
    private static final java.util.Map<String, Integer> PLACES = new java.util.HashMap<>();

    static {
      for (int i = 0; i < COLUMNS.size(); i++) {
        PLACES.put(COLUMNS.get(i), i);
      }
    }

    private final long[] values = new long[COLUMNS.size()];

    void add(String column, long value) {
      values[PLACES.get(column)] += value;
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
      add("rss", engine.jvm().rss());
      add("heapUsed", engine.jvm().heapUsed());
      add("heapMax", engine.jvm().heapMax());
      add("gcMs", engine.jvm().gcMs());
      add("engines", 1);
      add("ioBeside", memory.ioBeside());
      add("elementLent", engine.elements().lent() * engine.elements().slab());
      add("direct", engine.jvm().direct());
      // ApplicationMasters are no tasks.
      add("tasks", engine.role().equals("APP_MASTERS") ? 0 : engine.counts().running());
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

    void cache(CacheSample cache) {
      add("cacheTotal", cache.total());
      add("cacheInput", cache.inputUsed());
      add("cacheLent", cache.lentBytes());
      add("cacheLocalized", cache.localizedUsed());
      add("cacheHits", cache.hits());
      add("cacheMisses", cache.misses());
      add("cacheHitBytes", cache.hitBytes());
      add("cacheMissBytes", cache.missBytes());
    }
  }
}
