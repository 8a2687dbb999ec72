// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.sort.elements.ElementSource;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.PartitionedOutput;
import org.mammoth.engine.sort.spill.UpstreamSort;

/**
 * What a record costs from being collected to being in the map's output, in CPU time. Not of the
 * usual tests; name it with {@code -Dtest}.
 */
@Tag("benchmark")
class SortBenchmark {

  private static final int SLAB = 1 << 20;

  /** Whether equal keys come in upstream's order. */
  private static final boolean LIKE = Boolean.getBoolean("mammoth.benchmark.like-upstream");

  private static final int WORDS = Integer.getInteger("mammoth.benchmark.words", 20_000);

  /** How many different keys edges have. */
  private static final int PAGES = Integer.getInteger("mammoth.benchmark.pages", 200_000);

  private static final int ROUNDS = Integer.getInteger("mammoth.benchmark.rounds", 6);

  /** Keys that come again and again, small values: word count without a combiner. */
  @Test
  void words() throws Exception {
    int distinct = WORDS;
    byte[][] words = new byte[distinct][];
    SplittableRandom random = new SplittableRandom(1);
    double[] cumulative = new double[distinct];
    double sum = 0;
    for (int i = 0; i < distinct; i++) {
      words[i] = new byte[4 + random.nextInt(12)];
      for (int j = 0; j < words[i].length; j++) {
        words[i][j] = (byte) ('a' + random.nextInt(26));
      }
      sum += 1.0 / (i + 1);
      cumulative[i] = sum;
    }
    int count = 8_000_000;
    int[] drawn = new int[1 << 20];
    for (int i = 0; i < drawn.length; i++) {
      int at = Arrays.binarySearch(cumulative, random.nextDouble() * sum);
      drawn[i] = at < 0 ? -at - 1 : at;
    }
    Warm source = new Warm(200);
    for (int round = 0; round < ROUNDS; round++) {
      measure(
          "words",
          new Text.Comparator(),
          source,
          count,
          2,
          (buffer, i) -> {
            byte[] word = words[drawn[(int) (i & drawn.length - 1)]];
            buffer.write(word.length);
            buffer.write(word, 0, word.length);
            buffer.endKey();
            buffer.writeInt(1);
            return word[0] & 1;
          });
    }
  }

  /** Keys whose first bytes are the same and that come with other values: a graph's edges. */
  @Test
  void edges() throws Exception {
    Warm source = new Warm(200);
    for (int round = 0; round < ROUNDS; round++) {
      SplittableRandom random = new SplittableRandom(round);
      byte[] key = "http://host/page/0000000".getBytes(StandardCharsets.US_ASCII);
      measure(
          "edges",
          new Text.Comparator(),
          source,
          1_300_000,
          2,
          (buffer, i) -> {
            int page = random.nextInt(PAGES);
            int left = page;
            for (int at = key.length - 1; left > 0; at--) {
              key[at] = (byte) ('0' + left % 10);
              left /= 10;
            }
            buffer.write(key.length);
            buffer.write(key, 0, key.length);
            buffer.endKey();
            buffer.writeLong(i);
            return page & 1;
          });
    }
  }

  /** Numbers that come with other values: what a vertex is sent by others. */
  @Test
  void shares() throws Exception {
    Warm source = new Warm(200);
    for (int round = 0; round < ROUNDS; round++) {
      SplittableRandom random = new SplittableRandom(round);
      measure(
          "shares",
          new LongWritable.Comparator(),
          source,
          2_000_000,
          2,
          (buffer, i) -> {
            int vertex = random.nextInt(PAGES);
            buffer.writeLong(vertex);
            buffer.endKey();
            buffer.write(0);
            buffer.writeLong(i);
            return vertex & 1;
          });
    }
  }

  /** Random keys of 10 bytes, values of 90: TeraSort. */
  @Test
  void rows() throws Exception {
    byte[] value = new byte[90];
    byte[] key = new byte[10];
    Warm source = new Warm(200);
    for (int round = 0; round < ROUNDS; round++) {
      SplittableRandom random = new SplittableRandom(round);
      measure(
          "rows",
          new Text.Comparator(),
          source,
          1_300_000,
          2,
          (buffer, i) -> {
            random.nextBytes(key);
            buffer.write(key.length);
            buffer.write(key, 0, key.length);
            buffer.endKey();
            buffer.write(value.length);
            buffer.write(value, 0, value.length);
            return key[0] < 0 ? 1 : 0;
          });
    }
  }

  /** Lends what was given back last, as the element pool does. */
  private static final class Warm implements ElementSource {
    private final ArrayDeque<byte[]> free = new ArrayDeque<>();

    Warm(int slabs) {
      for (int i = 0; i < slabs; i++) {
        free.add(new byte[SLAB]);
      }
    }

    @Override
    public byte[] poll() {
      return free.pollLast();
    }

    @Override
    public byte[] take() {
      return free.removeLast();
    }

    @Override
    public void give(byte[] slab) {
      free.addLast(slab);
    }
  }

  private interface Records {
    int write(RecordBuffer buffer, long index) throws IOException;
  }

  private static void measure(
      String name,
      RawComparator<?> comparator,
      Warm source,
      int count,
      int partitions,
      Records records)
      throws Exception {
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    HeapRuns runs = new HeapRuns();
    long[] bytes = new long[1];
    long start = clock.getCurrentThreadCpuTime();
    long collected;
    try (MapSorter sorter =
        new MapSorter(
            KeyOrders.of(comparator), partitions, source, SLAB, runs, null, 3, () -> {})) {
      int spill = Integer.getInteger("mammoth.benchmark.spill-mb", 204) << 20;
      if (LIKE) {
        sorter.sortLikeUpstream(new UpstreamSort(spill / 4 * 5, spill, 10));
      }
      sorter.groupBeforeSort();
      RecordBuffer buffer = sorter.buffer();
      for (long i = 0; i < count; i++) {
        buffer.begin();
        buffer.end(records.write(buffer, i));
      }
      collected = clock.getCurrentThreadCpuTime();
      sorter.finish(
          new PartitionedOutput() {
            @Override
            public OutputStream begin(int partition) {
              return new OutputStream() {
                @Override
                public void write(int value) {
                  bytes[0]++;
                }

                @Override
                public void write(byte[] from, int offset, int length) {
                  bytes[0] += length;
                }
              };
            }

            @Override
            public void end(int partition, long rawBytes, long written) {}
          });
    }
    long end = clock.getCurrentThreadCpuTime();
    System.out.printf(
        "%s: %d records, %d MB, %d runs: collect and sort %.1f ns, merge %.1f ns per record%n",
        name,
        count,
        bytes[0] >> 20,
        runs.open,
        (collected - start) / (double) count,
        (end - collected) / (double) count);
  }
}
