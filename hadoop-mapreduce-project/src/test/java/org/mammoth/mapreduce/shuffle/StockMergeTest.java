// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MROutputFiles;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.MergeManagerImpl;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;
import org.apache.hadoop.util.Progress;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.SegmentCursor;
import org.mammoth.engine.sort.merge.SegmentInput;

/**
 * Random inputs of a reduce come in the order in which upstream's own {@code MergeManagerImpl}
 * merges them: from memory, from disk and from both.
 */
class StockMergeTest {

  private static final int ROUNDS = Integer.getInteger("mammoth.upstream-order.rounds", 40);
  private static final TaskAttemptID REDUCE = TaskAttemptID.forName("attempt_1_0001_r_000000_0");
  private static final int CHECKSUM_BYTES = 4;

  /** A record's key and which it is. */
  private record Pair(int key, int number) {}

  /** One map's segment: the bytes of a map output file. */
  private record Segment(int map, byte[] bytes) implements ReduceInput {

    @Override
    public String name() {
      return String.format("attempt_1_0001_m_%06d_0", map);
    }

    @Override
    public long rawLength() {
      return bytes.length - CHECKSUM_BYTES;
    }

    @Override
    public CameFrom cameFrom() {
      return CameFrom.NOWHERE;
    }

    @Override
    public SegmentInput open() {
      ByteArrayInputStream in = new ByteArrayInputStream(bytes, 0, (int) rawLength());
      return new SegmentInput() {
        @Override
        public int read(byte[] into, int offset, int length) {
          return in.read(into, offset, length);
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public void close() {}
  }

  static LongStream seeds() {
    long first = System.nanoTime();
    return LongStream.concat(LongStream.range(1, 6), new Random(first).longs(ROUNDS - 5L));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void mergesInTheOrderOfUpstream(long seed, @TempDir Path dir) throws Throwable {
    Random random = new Random(seed);
    JobConf job = new JobConf(false);
    job.setStrings("io.serializations", "org.apache.hadoop.io.serializer.WritableSerialization");
    job.set("mapreduce.cluster.local.dir", dir.toString());
    job.setMapOutputKeyClass(IntWritable.class);
    job.setMapOutputValueClass(BytesWritable.class);
    job.setInt(MRJobConfig.IO_SORT_FACTOR, 2 + random.nextInt(9));
    // a segment of more than 10 KB goes to disk, and 32 KB are merged at once
    job.setLong(MRJobConfig.REDUCE_MEMORY_TOTAL_BYTES, 60_000 + random.nextInt(20_000));
    if (random.nextInt(3) > 0) {
      job.setFloat(MRJobConfig.REDUCE_INPUT_BUFFER_PERCENT, random.nextInt(11) / 10f);
    }
    List<Segment> segments = new ArrayList<>();
    int maps = 1 + random.nextInt(1 << random.nextInt(6));
    int bound = 1 + random.nextInt(1 << 5 + random.nextInt(6));
    int distinct = 1 + random.nextInt(300);
    int number = 0;
    for (int map = 0; map < maps; map++) {
      int count = random.nextInt(6) == 0 ? 500 + random.nextInt(900) : random.nextInt(bound);
      segments.add(segment(job, map, count, distinct, number, random));
      number += count;
    }
    StockMerge merge = StockMerge.of(job, new ArrayList<ReduceInput>(segments), true);
    List<Pair> expected = upstream(job, segments);
    assertThat(expected).hasSize(number);
    if (merge == null) {
      return; // upstream's order is one of time
    }
    Collections.shuffle(segments, random);
    KeyOrder order = KeyOrders.of(new IntWritable.Comparator());
    merge = StockMerge.of(job, new ArrayList<ReduceInput>(segments), true);
    List<SegmentCursor> cursors = new ArrayList<>();
    for (ReduceInput input : merge.inputs()) {
      cursors.add(new SegmentCursor(order, input.open(), input.name(), 64, input.rawLength()));
    }
    MergeQueue queue = merge.merge(order, cursors);
    List<Pair> merged = new ArrayList<>();
    while (queue.next()) {
      DataInputBuffer record = new DataInputBuffer();
      record.reset(queue.top().bytes(), queue.top().keyAt(), Integer.MAX_VALUE / 2);
      merged.add(pair(record, record));
    }
    assertThat(merged).isEqualTo(expected);
  }

  /** Nobody knows then what upstream's merge would have in memory. */
  @ParameterizedTest
  @CsvSource({
    "mapreduce.reduce.java.opts, -Xmx1t",
    "mapreduce.reduce.merge.memtomem.enabled, true"
  })
  void whatCannotBeKnownHasAnyOrder(String key, String value) throws IOException {
    JobConf job = new JobConf(false);
    job.setStrings("io.serializations", "org.apache.hadoop.io.serializer.WritableSerialization");
    job.setFloat(MRJobConfig.REDUCE_INPUT_BUFFER_PERCENT, 0.5f);
    List<ReduceInput> inputs = List.of(segment(job, 0, 10, 5, 0, new Random(1)));
    assertThat(StockMerge.of(job, inputs, true)).isNotNull();
    job.set(key, value);
    assertThat(StockMerge.of(job, inputs, true)).isNull();
  }

  private static Pair pair(DataInputBuffer key, DataInputBuffer value) throws IOException {
    int first = key.readInt();
    value.readInt();
    return new Pair(first, value.readInt());
  }

  private static Segment segment(
      JobConf job, int map, int count, int distinct, int firstNumber, Random random)
      throws IOException {
    int[] keys = random.ints(count, 0, distinct).sorted().toArray();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    FSDataOutputStream out = new FSDataOutputStream(bytes, null);
    IFile.Writer<IntWritable, BytesWritable> writer =
        new IFile.Writer<>(job, out, IntWritable.class, BytesWritable.class, null, null);
    byte[] value = new byte[4];
    for (int i = 0; i < count; i++) {
      int number = firstNumber + i;
      value[0] = (byte) (number >>> 24);
      value[1] = (byte) (number >>> 16);
      value[2] = (byte) (number >>> 8);
      value[3] = (byte) number;
      writer.append(new IntWritable(keys[i]), new BytesWritable(value));
    }
    writer.close();
    out.flush();
    return new Segment(map, bytes.toByteArray());
  }

  /** What upstream's own merge gives if maps end in their order. */
  private static List<Pair> upstream(JobConf job, List<Segment> segments) throws Throwable {
    segments.sort(Comparator.comparingInt(Segment::map));
    MROutputFiles files = new MROutputFiles();
    files.setConf(job);
    MergeManagerImpl<IntWritable, BytesWritable> merges =
        new MergeManagerImpl<>(
            REDUCE,
            job,
            FileSystem.getLocal(job),
            new LocalDirAllocator("mapreduce.cluster.local.dir"),
            Reporter.NULL,
            null,
            null,
            null,
            new Counters.Counter(),
            null,
            new Counters.Counter(),
            thrown -> {
              throw new AssertionError(thrown);
            },
            new Progress(),
            files);
    ShuffleClientMetrics metrics =
        ShuffleClientMetrics.create(org.apache.hadoop.mapred.TaskAttemptID.downgrade(REDUCE), job);
    for (Segment segment : segments) {
      merges.waitForResource();
      MapOutput<IntWritable, BytesWritable> output =
          merges.reserve(TaskAttemptID.forName(segment.name()), segment.rawLength(), 0);
      output.shuffle(
          new MapHost("host", "http://host"),
          new ByteArrayInputStream(segment.bytes()),
          segment.bytes().length,
          segment.rawLength(),
          metrics,
          Reporter.NULL);
      output.commit();
    }
    RawKeyValueIterator merged = merges.close();
    List<Pair> all = new ArrayList<>();
    while (merged.next()) {
      all.add(pair(merged.getKey(), merged.getValue()));
    }
    merged.close();
    return all;
  }
}
