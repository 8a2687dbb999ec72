// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.mammoth.console.live.NodeRow;
import org.mammoth.console.model.DiskSample;
import org.mammoth.console.model.EngineSample;

/**
 * What the columns of a node's row are called in Prometheus: base units (bytes, seconds, cores), a
 * counter ends in {@code _total}, what is one thing split by kind is one metric with a label.
 */
final class PrometheusNames {

  /**
   * A metric.
   *
   * @param type gauge or counter
   */
  record Metric(String name, String type, String help) {}

  /**
   * One column of a row.
   *
   * @param column of {@link NodeRow#COLUMNS}
   * @param label what tells it from the metric's other columns, as {@code kind="sort"}; or empty
   * @param divisor the metric's value is the column's divided by it
   * @param counted what one engine has counted of it since it started, which has a line of its own;
   *     null for all else
   */
  record Source(String column, String label, long divisor, ToLongFunction<EngineSample> counted) {

    Source(String column, String label, long divisor) {
      this(column, label, divisor, null);
    }
  }

  private static final Map<Metric, List<Source>> METRICS = new LinkedHashMap<>();

  static {
    gauge("memory_configured_bytes", "Memory that engines may lease", "cap");
    gauge("memory_leased_bytes", "Memory that engines have leased", "used");
    split(
        new Metric("mammoth_node_memory_bytes", "gauge", "Leased memory by kind of buffer"),
        "kind",
        Map.of(
            "element", "element",
            "sort", "sort",
            "send", "send",
            "receive", "receive",
            "io", "io",
            "dataCache", "data_cache"));
    split(
        new Metric("mammoth_node_memory_quota_bytes", "gauge", "What each side may lease now"),
        "side",
        Map.of("mapQuota", "map", "reduceQuota", "reduce"));
    gauge("memory_borrowed_bytes", "Leased by maps beyond their quota", "borrowed");
    gauge("memory_pressure", "Engines whose pool is nearly full", "pressure");
    gauge("engine_resident_bytes", "Resident memory of engines", "rss");
    gauge("engine_heap_used_bytes", "Heap that engines use", "heapUsed");
    gauge("engine_heap_max_bytes", "Heap that engines may use", "heapMax");
    gauge("engine_direct_bytes", "Direct buffers of engines", "direct");
    put(
        new Metric(
            "mammoth_node_engine_gc_seconds_total",
            "counter",
            "Time that each engine has spent in garbage collection"),
        new Source("gcMs", "", 1000, engine -> engine.jvm().gcMs()));
    gauge("engines", "Engines that run", "engines");
    gauge("tasks", "Tasks that run in engines", "tasks");
    gauge("memory_waiting_requests", "Requests that wait for memory", "waiters");
    gauge("spill_queue_pieces", "Pieces that wait for a disk", "queueDepth");
    gauge("spill_queue_bytes", "Memory that waits for a disk", "queueHeld");
    put(
        new Metric(
            "mammoth_node_spill_queue_oldest_seconds",
            "gauge",
            "Age of the oldest piece that waits"),
        new Source("queueOldestMs", "", 1000));
    gauge("engine_write_bytes_per_second", "Written to disks by engines", "writeRate");
    gauge("engine_read_bytes_per_second", "Read from disks by engines", "readRate");
    put(
        new Metric(
            "mammoth_node_engine_io_errors_total",
            "counter",
            "Requests to disks that failed, of each engine"),
        new Source(
            "ioErrors",
            "",
            1,
            engine -> engine.disks().stream().mapToLong(DiskSample::errors).sum()));
    counter("fallback_tasks_total", "Tasks that ran in ordinary containers", "fallbacks");
    gauge("io_beside_pool_bytes", "Buffers of I/O that are not of the pool", "ioBeside");
    gauge("element_lent_bytes", "Collect buffers that maps have", "elementLent");
    gauge("cache_capacity_bytes", "Space of the SSD cache", "cacheTotal");
    gauge("cache_used_bytes", "Used space of the SSD cache", "cacheUsed");
    split(
        new Metric("mammoth_node_cache_bytes", "gauge", "Used space of the SSD cache by part"),
        "part",
        Map.of("cacheInput", "input", "cacheLocalized", "localized"));
    gauge("cache_lent_bytes", "Part of the dynamic pool that localized data has", "cacheLent");
    split(
        new Metric("mammoth_node_cache_block_reads_total", "counter", "Block reads by result"),
        "result",
        Map.of("cacheHits", "hit", "cacheMisses", "miss"));
    split(
        new Metric("mammoth_node_cache_read_bytes_total", "counter", "Bytes read by result"),
        "result",
        Map.of("cacheHitBytes", "hit", "cacheMissBytes", "miss"));
    gauge("up", "1 if the console can read the node", "nodes");
    gauge("engines_untold", "Not 0 if an engine of the node is not known", "enginesUntold");
    gauge("cache_untold", "1 if the node's SSD cache is not known", "cacheUntold");
    gauge("host_cores", "Processors of the host", "hostCores");
    put(
        new Metric("mammoth_node_host_cpu_cores", "gauge", "Processors that are busy"),
        new Source("hostCpu", "", 1000));
    gauge("host_memory_bytes", "The host's memory", "hostMemory");
    gauge("host_memory_available_bytes", "What programs can still get", "hostMemoryAvailable");
    split(
        new Metric(
            "mammoth_node_host_network_bytes_per_second", "gauge", "Traffic with other hosts"),
        "direction",
        Map.of("networkIn", "in", "networkOut", "out"));
    gauge("host_disks", "Disks of the host", "hostDisks");
    split(
        new Metric("mammoth_node_host_disk_bytes_per_second", "gauge", "Traffic of disks"),
        "direction",
        Map.of("hostDiskRead", "read", "hostDiskWritten", "written"));
    put(
        new Metric("mammoth_node_host_busy_disks", "gauge", "Disks that have something to do"),
        new Source("hostDiskBusy", "", 1000));
    put(
        new Metric(
            "mammoth_node_local_dirs_used_ratio",
            "gauge",
            "How full yarn.nodemanager.local-dirs are, 0 to 1"),
        new Source("localDirsUsed", "", 100));
    gauge("local_dirs_bad", "Local folders that are out of use", "localDirsBad");
    gauge("hdfs_capacity_bytes", "Space of the DataNode", "dfsCapacity");
    gauge("hdfs_remaining_bytes", "Space that HDFS can still write", "dfsRemaining");
    gauge("hdfs_failed_volumes", "Disks of the DataNode that have failed", "dfsVolumesFailed");
  }

  private PrometheusNames() {}

  /** Each metric with the columns it has, in the order in which they are shown. */
  static Map<Metric, List<Source>> metrics() {
    return METRICS;
  }

  private static void gauge(String name, String help, String column) {
    put(new Metric("mammoth_node_" + name, "gauge", help), new Source(column, "", 1));
  }

  private static void counter(String name, String help, String column) {
    put(new Metric("mammoth_node_" + name, "counter", help), new Source(column, "", 1));
  }

  private static void put(Metric metric, Source source) {
    METRICS.put(metric, List.of(source));
  }

  private static void split(Metric metric, String label, Map<String, String> values) {
    METRICS.put(
        metric,
        NodeRow.COLUMNS.stream()
            .filter(values::containsKey)
            .map(column -> new Source(column, label + "=\"" + values.get(column) + "\"", 1))
            .toList());
  }
}
