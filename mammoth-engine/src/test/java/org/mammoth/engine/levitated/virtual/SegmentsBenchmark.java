// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.io.Text;
import org.mammoth.engine.levitated.RangeReader;
import org.mammoth.engine.levitated.RangeRequest;
import org.mammoth.engine.levitated.table.SegmentTable;
import org.mammoth.engine.shuffle.LoopbackNodes;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.RecordCursor;

/**
 * Memory and speed of a virtual merge over the number of its segments. As in a task, its steps run
 * on the thread that reads it; ranges come from another one, or over sockets. Not of the usual
 * tests: {@code dev-support/bin/segments} runs it in a JVM of its own, whose heap holds everything,
 * the cache pool too.
 */
final class SegmentsBenchmark {

  private static final int UNIT = 2 << 20;

  private SegmentsBenchmark() {}

  /**
   * Arguments: memory of the merge in MiB, records in all, nodes whose servers are asked over
   * sockets or 0 to read within the process, then numbers of segments.
   */
  public static void main(String[] args) throws Exception {
    int memoryMb = Integer.parseInt(args[0]);
    int records = Integer.parseInt(args[1]);
    int nodes = Integer.parseInt(args[2]);
    int[] counts = Arrays.stream(args).skip(3).mapToInt(Integer::parseInt).toArray();
    System.out.printf(
        "%9s %9s %7s %9s %8s %9s %8s %9s %8s %8s %8s %7s %7s%n",
        "segments",
        "records",
        "MB",
        "seconds",
        "krec/s",
        "ns CPU",
        "pool MB",
        "used MB",
        "net MB",
        "fetched",
        "ranges",
        "turns",
        "waits");
    run(memoryMb, Math.min(records, 2_000_000), 1_000, nodes, false);
    for (int count : counts) {
      run(memoryMb, records, count, nodes, true);
    }
  }

  private static void run(int memoryMb, int records, int count, int nodes, boolean print)
      throws Exception {
    GeneratedSegments source = new GeneratedSegments(records / count, 7);
    Merged merged;
    long memory = (long) memoryMb << 20;
    long cpu = cpu();
    if (nodes > 0) {
      try (SocketSources sources = new SocketSources(source, nodes)) {
        merged = merge(sources, source, count, records, memory, UNIT);
      }
    } else {
      ExecutorService network = Executors.newFixedThreadPool(1);
      try {
        RangeReader reader = requests -> network.execute(() -> serve(source, requests));
        merged = merge(reader, source, count, records, memory, UNIT);
      } finally {
        network.shutdown();
        network.awaitTermination(10, TimeUnit.SECONDS);
      }
    }
    if (print) {
      System.out.println("  " + merged.sizes);
      System.out.printf(
          Locale.ROOT,
          "%9d %9d %7d %9.1f %8.0f %9.0f %8d %9d %8d %8.4f %8d %7d %7d%n",
          count,
          merged.records,
          merged.records * GeneratedSegments.RECORD >> 20,
          merged.seconds,
          merged.records / merged.seconds / 1e3,
          (cpu() - cpu) / (double) merged.records,
          merged.heldBytes >> 20,
          merged.heapBytes >> 20,
          LoopbackNodes.directBytes() >> 20,
          merged.counts.fetchedBytes() / (double) (source.length() * count),
          merged.counts.ranges(),
          merged.counts.turns(),
          merged.counts.waits());
    }
  }

  /**
   * What a merge took.
   *
   * @param heldBytes of units, at its end
   * @param heapBytes the most heap in use at some moments of it, garbage apart
   */
  record Merged(
      VirtualSizing sizes,
      long records,
      double seconds,
      long heldBytes,
      long heapBytes,
      MergeCounts counts) {}

  /**
   * Merges segments and checks order, number and identity of all records.
   *
   * @param records of all segments together, more or less
   * @param memory bytes the merge may take of units
   */
  static Merged merge(
      RangeReader reader, GeneratedSegments source, int count, int records, long memory, int unit)
      throws Exception {
    VirtualSizing sizes =
        VirtualSizing.of(
            count,
            memory,
            unit,
            new VirtualSizing.Requested(
                Integer.getInteger("subtree", 0),
                Integer.getInteger("range", 0),
                Integer.getInteger("buffer", 0),
                3));
    try (TestUnits units = TestUnits.plain(unit, (int) (memory / unit))) {
      SegmentTable table = new SegmentTable(units, sizes.subtreeSegments());
      for (int i = 0; i < count; i++) {
        table.add(i % 100, i, 0, source.length(), 1);
      }
      long begun = System.nanoTime();
      KeyOrder order = KeyOrders.of(new Text.Comparator());
      try (VirtualMerge merge =
          new VirtualMerge(
              table,
              reader,
              units,
              0,
              () -> KeyOrders.of(new Text.Comparator()),
              new OwnThreadStepRunner(),
              sizes,
              FillLevels.DEFAULT)) {
        long total = (long) (records / count) * count;
        long used = drain(merge.queue(), order, total, source);
        double seconds = (System.nanoTime() - begun) / 1e9;
        return new Merged(sizes, total, seconds, merge.heldBytes(), used, merge.counts());
      }
    }
  }

  private static long cpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static void serve(GeneratedSegments source, List<RangeRequest> requests) {
    for (RangeRequest request : requests) {
      source.read(request.segment(), request.offset(), request.into());
      request.done().accept(null);
    }
  }

  /** Reads all records and checks order, number and identity; tells the most heap in use. */
  private static long drain(MergeQueue queue, KeyOrder order, long total, GeneratedSegments source)
      throws Exception {
    byte[] last = new byte[GeneratedSegments.KEY + 1];
    int lastSegment = -1;
    long count = 0;
    long marks = 0;
    List<Long> used = new ArrayList<>();
    while (queue.next()) {
      RecordCursor top = queue.top();
      byte[] bytes = top.bytes();
      int at = top.valueAt();
      int segment = number(bytes, at);
      int comparison = order.compare(last, 0, last.length, bytes, top.keyAt(), top.keyLength());
      if (count > 0 && (comparison > 0 || comparison == 0 && segment < lastSegment)) {
        throw new IllegalStateException("record " + count + " is out of order");
      }
      System.arraycopy(bytes, top.keyAt(), last, 0, last.length);
      lastSegment = segment;
      marks += GeneratedSegments.mark(segment, number(bytes, at + 4));
      if (++count % Math.max(1, total / 8) == 0 && count < total) {
        System.gc();
        used.add(Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
      }
    }
    if (count != total || marks != source.marks(total)) {
      throw new IllegalStateException(count + " records came of " + total + ", or others");
    }
    return used.stream().mapToLong(each -> each).max().orElse(0);
  }

  private static int number(byte[] bytes, int at) {
    return bytes[at] << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | bytes[at + 3] & 0xff;
  }
}
