// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32;
import org.apache.hadoop.io.Text;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.levitated.BlockSpace;
import org.mammoth.engine.levitated.LevitatedSegment;
import org.mammoth.engine.levitated.RangeReader;
import org.mammoth.engine.levitated.RangeRequest;
import org.mammoth.engine.levitated.node.NodeMerges;
import org.mammoth.engine.levitated.table.SegmentTable;
import org.mammoth.engine.memory.InputWindows;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.shuffle.MergeList;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.SegmentSource;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.RecordCursor;
import org.mammoth.engine.sort.merge.SegmentCursor;
import org.mammoth.engine.sort.merge.SegmentInput;

/**
 * What merging costs at the reduce and at its sources, when the reduce merges all segments by turns
 * and when their nodes merge first. Not of the usual tests: {@code dev-support/bin/segments
 * --nodes} runs it.
 */
final class StreamsBenchmark {

  private static final int UNIT = 2 << 20;
  private static final int BLOCK = 256 << 10;
  private static final int PIECE = 8 << 10;
  private static final String JOB = "job_1_0001";

  private final int nodes;
  private final int segments;
  private final long total;
  private final long memory;
  private final GeneratedSegments source;
  private final int[] sums;
  private final KeyOrder order = KeyOrders.of(new Text.Comparator());

  private StreamsBenchmark(int nodes, int segments, int records, long memory) {
    this.nodes = nodes;
    this.segments = segments;
    this.total = (long) (records / segments) * segments;
    this.memory = memory;
    this.source = new GeneratedSegments(records / segments, 7);
    this.sums = new int[segments];
  }

  /** Arguments: memory of a reduce or of a source in MiB, records in all, nodes, segments. */
  public static void main(String[] args) throws Exception {
    long memory = Long.parseLong(args[0]) << 20;
    int records = Integer.parseInt(args[1]);
    int nodes = Integer.parseInt(args[2]);
    for (int i = 3; i < args.length; i++) {
      int segments = Integer.parseInt(args[i]);
      new StreamsBenchmark(nodes, segments, Math.min(records, 2_000_000), memory).run(false);
      new StreamsBenchmark(nodes, segments, records, memory).run(true);
    }
  }

  private void run(boolean print) throws Exception {
    double generating = perRecord(generate());
    ExecutorService network = Executors.newSingleThreadExecutor();
    try {
      double[] virtual = virtual(network);
      double[] merged = merged(network);
      if (print) {
        System.out.printf(
            Locale.ROOT,
            "%d segments on %d nodes, %d records; ns of CPU a record; generating them takes %.0f%n"
                + "  virtual: reduce %.0f, sources %.0f%n"
                + "  node:    reduce %.0f, sources %.0f%n",
            segments,
            nodes,
            total,
            generating,
            virtual[0],
            virtual[1],
            merged[0],
            merged[1]);
      }
    } finally {
      network.shutdown();
    }
  }

  private double perRecord(long nanos) {
    return nanos / (double) total;
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long cpuOf(ExecutorService thread) throws Exception {
    Future<Long> answer = thread.submit(StreamsBenchmark::cpu);
    return answer.get();
  }

  /** What making the bytes costs, in pieces as they are asked for. */
  private long generate() {
    long begun = cpu();
    ByteBuffer into = ByteBuffer.allocate(PIECE);
    CRC32 sum = new CRC32();
    for (int i = 0; i < segments; i++) {
      sum.reset();
      for (long at = 0; at < source.length(); at += into.limit()) {
        into.clear().limit((int) Math.min(PIECE, source.length() - at));
        source.read(i, at, into);
        sum.update(into.flip());
      }
      sums[i] = (int) sum.getValue();
    }
    return cpu() - begun;
  }

  /** All segments at the reduce, whose thread does all steps. */
  private double[] virtual(ExecutorService network) throws Exception {
    VirtualSizing sizes = VirtualSizing.of(segments, memory, UNIT, VirtualSizing.Requested.NONE);
    RangeReader reader = requests -> network.execute(() -> requests.forEach(this::serve));
    long sources = cpuOf(network);
    long begun = cpu();
    try (TestUnits units = TestUnits.plain(UNIT, (int) (memory / UNIT))) {
      SegmentTable table = new SegmentTable(units, sizes.subtreeSegments());
      for (int i = 0; i < segments; i++) {
        table.add(i % nodes, i, 0, source.length(), 1);
      }
      try (VirtualMerge merge =
          new VirtualMerge(
              table,
              reader,
              units,
              4,
              () -> order,
              new OwnThreadStepRunner(),
              sizes,
              FillLevels.DEFAULT)) {
        drain(merge.queue());
      }
    }
    return new double[] {perRecord(cpu() - begun), perRecord(cpuOf(network) - sources)};
  }

  private void serve(RangeRequest request) {
    read(request.segment(), request.offset(), request.into());
    request.done().accept(null);
  }

  /** Reads a segment and its checksum. */
  private void read(int number, long offset, ByteBuffer into) {
    int limit = into.limit();
    long records = Math.max(0, source.length() - offset);
    into.limit(into.position() + (int) Math.min(into.remaining(), records));
    source.read(number, offset, into);
    into.limit(limit);
    for (long at = Math.max(offset, source.length()); into.hasRemaining(); at++) {
      into.put((byte) (sums[number] >>> 8 * (source.length() + 3 - at)));
    }
  }

  /** Each node's segments are a run of all, so that the order is the same. */
  private double[] merged(ExecutorService network) throws Exception {
    List<NodeMerges> engines = new ArrayList<>();
    List<RecordCursor> cursors = new ArrayList<>();
    long sources = cpuOf(network);
    long begun = cpu();
    try (TestUnits units = TestUnits.plain(UNIT, nodes)) {
      BlockSpace blocks = new BlockSpace(units, BLOCK);
      RangeReader reader =
          requests -> network.execute(() -> requests.forEach(each -> serve(engines, each)));
      for (int node = 0; node < nodes; node++) {
        List<MergeList.Part> parts = new ArrayList<>();
        for (int i = segments / nodes * node; i < segments / nodes * (node + 1); i++) {
          parts.add(new MergeList.Part(Integer.toString(i), 1));
        }
        // no merge takes more than a quarter of what all may have
        NodeMerges engine =
            new NodeMerges(
                new Generated(),
                new InputWindows(BufferType.DIRECT, UNIT, new Ledger(memory)),
                4 * memory,
                System::nanoTime);
        engine.merge(new MergeList(JOB, "r", 0, KeyOrders.numberOf(new Text.Comparator()), parts));
        engines.add(engine);
        long length = network.submit(() -> engine.find(JOB, "r", 0).partLength()).get();
        LevitatedSegment stream =
            new LevitatedSegment(reader, node, "r", length, blocks.poll(), 0, blocks.poll());
        cursors.add(new SegmentCursor(order, input(stream), "r", BLOCK, length));
      }
      drain(new MergeQueue(order, cursors));
      for (RecordCursor cursor : cursors) {
        cursor.close();
      }
      engines.forEach(engine -> engine.jobFinished(JOB));
      blocks.close();
    }
    return new double[] {perRecord(cpu() - begun), perRecord(cpuOf(network) - sources)};
  }

  private static void serve(List<NodeMerges> engines, RangeRequest request) {
    try (Segment merge = engines.get(request.segment()).find(JOB, "r", 0)) {
      merge.read(request.offset(), request.into());
      request.done().accept(null);
    } catch (IOException e) {
      request.done().accept(e);
    }
  }

  private static SegmentInput input(LevitatedSegment stream) {
    return new SegmentInput() {
      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        return stream.read(into, offset, length);
      }

      @Override
      public void close() {
        stream.close();
      }
    };
  }

  private void drain(MergeQueue queue) throws IOException {
    long count = 0;
    while (queue.next()) {
      count++;
    }
    if (count != total) {
      throw new IllegalStateException(count + " records came of " + total);
    }
  }

  /** Segments as outputs of maps. */
  private final class Generated implements SegmentSource {

    @Override
    public Segment find(String job, String mapAttempt, int partition) {
      int number = Integer.parseInt(mapAttempt);
      return new Segment() {
        @Override
        public long rawLength() {
          return source.length();
        }

        @Override
        public long partLength() {
          return source.length() + Integer.BYTES;
        }

        @Override
        public long identity() {
          return 1;
        }

        @Override
        public int flags() {
          return 0;
        }

        @Override
        public void read(long offset, ByteBuffer into) {
          StreamsBenchmark.this.read(number, offset, into);
        }

        @Override
        public void close() {}
      };
    }
  }
}
