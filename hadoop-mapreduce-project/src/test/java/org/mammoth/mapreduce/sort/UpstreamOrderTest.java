// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputCollector;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.util.Progress;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mammoth.engine.sort.MapSorter;
import org.mammoth.engine.sort.RecordBuffer;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.PartitionedOutput;

/**
 * Random maps of many spills leave the same bytes as upstream's own {@code MapOutputBuffer}: where
 * keys are equal, whatever the comparator and the combiner, in one pass of merging or several.
 */
class UpstreamOrderTest {

  private static final int ROUNDS = Integer.getInteger("mammoth.upstream-order.rounds", 40);
  private static final int SLAB = 1 << 16;
  private static final int MEGABYTE = 1 << 20;

  @TempDir private Path dir;

  /** Says of two different keys that they are equal, or that either comes first. */
  public static final class Careless extends WritableComparator {
    public Careless() {
      super(Text.class, true);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public int compare(WritableComparable left, WritableComparable right) {
      int one = left.toString().length();
      int other = right.toString().length();
      return one % 3 == 0 ? Integer.compare(one, other) : one < other ? -1 : 1;
    }
  }

  /** What it writes shows how often it ran, and in which order it saw the values. */
  public static class Mix extends Reducer<Text, BytesWritable, Text, BytesWritable> {
    @Override
    protected void reduce(Text key, Iterable<BytesWritable> values, Context context)
        throws IOException, InterruptedException {
      int mixed = 1;
      int longest = 0;
      for (BytesWritable value : values) {
        mixed = 31 * mixed + value.hashCode();
        longest = Math.max(longest, value.getLength());
      }
      byte[] bytes = new byte[longest];
      new Random(mixed).nextBytes(bytes);
      context.write(key, new BytesWritable(bytes));
    }
  }

  /** Writes when it ends, out of order, and even where there is no record. */
  public static final class LastWord extends Mix {
    private int keys;

    @Override
    protected void reduce(Text key, Iterable<BytesWritable> values, Context context)
        throws IOException, InterruptedException {
      keys++;
      super.reduce(key, values, context);
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      context.write(new Text("key"), new BytesWritable(Integer.toString(keys).getBytes()));
    }
  }

  /** Is content with the first keys. */
  public static final class FirstFew extends Mix {
    @Override
    public void run(Context context) throws IOException, InterruptedException {
      setup(context);
      for (int keys = 0; keys < 10 && context.nextKey(); keys++) {
        reduce(context.getCurrentKey(), context.getValues(), context);
      }
      cleanup(context);
    }
  }

  private static final List<Class<? extends Reducer<?, ?, ?, ?>>> COMBINERS =
      List.of(Mix.class, LastWord.class, FirstFew.class);

  static LongStream seeds() {
    long first = System.nanoTime();
    LongSupplier next = new Random(first)::nextLong;
    return LongStream.concat(LongStream.range(1, 6), LongStream.generate(next).limit(ROUNDS - 5L));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void leavesTheBytesOfUpstream(long seed) throws Exception {
    Random random = new Random(seed);
    Path folder = Files.createDirectories(dir.resolve("seed" + seed));
    // more than one map needs, or so little that its spills are written before the end
    int slabs = random.nextBoolean() ? 300 : 64;
    try (SortFixture map = new SortFixture(folder, 2000)) {
      configure(map.job, random);
      List<byte[][]> records = records(random);
      int[] partitions =
          random.ints(records.size(), 0, map.job.getNumReduceTasks() - random.nextInt(2)).toArray();
      List<byte[]> expected = upstream(map, records, partitions);
      Collected output = new Collected();
      SpillRuns runs = map.runs();
      JobCombiner<?, ?> combiner = JobCombiner.of(map.job, SortFixture.ATTEMPT, map.reporter);
      try (MapSorter sorter =
          new MapSorter(
              KeyOrders.of(map.job.getOutputKeyComparator()),
              map.job.getNumReduceTasks(),
              SortFixture.slabs(slabs, SLAB),
              SLAB,
              runs,
              combiner,
              map.job.getInt(MRJobConfig.MAP_COMBINE_MIN_SPILLS, 3),
              () -> {})) {
        sorter.sortLikeUpstream(StockSpill.settings(map.job));
        if (combiner != null) {
          sorter.combineBeforeSort(combiner);
        } else {
          sorter.groupBeforeSort();
        }
        RecordBuffer buffer = sorter.buffer();
        for (int i = 0; i < partitions.length; i++) {
          buffer.begin();
          buffer.write(records.get(i)[0]);
          buffer.endKey();
          buffer.write(records.get(i)[1]);
          buffer.end(partitions[i]);
        }
        sorter.finish(output);
      }
      for (int partition = 0; partition < expected.size(); partition++) {
        assertThat(Arrays.mismatch(output.segments.get(partition), expected.get(partition)))
            .as(
                "first byte that differs in partition %d, seed %d, %d slabs, %s",
                partition, seed, slabs, map.job.get("what"))
            .isEqualTo(-1);
      }
    }
  }

  private static void configure(JobConf job, Random random) {
    job.setNumReduceTasks(2 + random.nextInt(3));
    job.setMapOutputKeyClass(Text.class);
    job.setMapOutputValueClass(BytesWritable.class);
    job.setInt(MRJobConfig.IO_SORT_MB, 1);
    float percent = random.nextInt(8) == 0 ? 0.9999f : 0.5f + random.nextInt(50) / 100f;
    job.setFloat(MRJobConfig.MAP_SORT_SPILL_PERCENT, percent);
    job.setInt(MRJobConfig.IO_SORT_FACTOR, 2 + random.nextInt(9));
    job.setInt(MRJobConfig.MAP_COMBINE_MIN_SPILLS, 1 + random.nextInt(4));
    boolean careless = random.nextInt(4) == 0;
    if (careless) {
      job.setOutputKeyComparatorClass(Careless.class);
    }
    int combiner = random.nextInt(2 + COMBINERS.size());
    if (combiner > 1) {
      job.setBoolean("mapred.mapper.new-api", true);
      job.setClass(MRJobConfig.COMBINE_CLASS_ATTR, COMBINERS.get(combiner - 2), Reducer.class);
    }
    job.set(
        "what",
        job.get(MRJobConfig.IO_SORT_FACTOR)
            + " "
            + percent
            + " careless "
            + careless
            + " combiner "
            + combiner);
  }

  /** Serialised keys and values, none of them larger than a slab. */
  private static List<byte[][]> records(Random random) throws IOException {
    int total = random.nextInt(7 * MEGABYTE);
    int distinct = 1 + random.nextInt(1 << random.nextInt(14));
    int keyBound = 1 + random.nextInt(1 << random.nextInt(9));
    int valueBound = 1 + random.nextInt(1 << random.nextInt(12));
    int largest = random.nextBoolean() ? 0 : SLAB / 2;
    byte[] padding = new byte[SLAB];
    List<byte[][]> records = new ArrayList<>();
    for (int size = 0; size < total || records.isEmpty(); ) {
      int number = random.nextInt(distinct);
      byte[] name = Integer.toString(number).getBytes();
      Text key = new Text(name);
      key.append(padding, 0, number % keyBound);
      int length = random.nextInt(valueBound);
      if (largest > 0 && random.nextInt(200) == 0) {
        length = random.nextInt(largest);
      }
      byte[] value = new byte[length];
      random.nextBytes(value);
      byte[][] record = {serialised(key), serialised(new BytesWritable(value))};
      records.add(record);
      size += record[0].length + record[1].length + 16;
    }
    return records;
  }

  private static byte[] serialised(Writable object) throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    object.write(out);
    return Arrays.copyOf(out.getData(), out.getLength());
  }

  private static DataInput input(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }

  /** What upstream's own collector leaves of each partition. */
  private static List<byte[]> upstream(SortFixture map, List<byte[][]> records, int[] partitions)
      throws Exception {
    MapTask task = new MapTask("", SortFixture.ATTEMPT, 0, new TaskSplitIndex(), 1);
    task.setConf(map.job);
    for (String phase : new String[] {"mapPhase", "sortPhase"}) {
      Field field = MapTask.class.getDeclaredField(phase);
      field.setAccessible(true);
      field.set(task, new Progress());
    }
    MapTask.MapOutputBuffer<Text, BytesWritable> buffer = new MapTask.MapOutputBuffer<>();
    buffer.init(new MapOutputCollector.Context(task, map.job, map.reporter));
    Text key = new Text();
    BytesWritable value = new BytesWritable();
    for (int i = 0; i < partitions.length; i++) {
      key.readFields(input(records.get(i)[0]));
      value.readFields(input(records.get(i)[1]));
      buffer.collect(key, value, partitions[i]);
    }
    buffer.flush();
    buffer.close();
    byte[] file =
        Files.readAllBytes(Path.of(task.getMapOutputFile().getOutputFile().toUri().getPath()));
    SpillRecord index = new SpillRecord(task.getMapOutputFile().getOutputIndexFile(), map.job);
    List<byte[]> segments = new ArrayList<>();
    for (int partition = 0; partition < index.size(); partition++) {
      int start = (int) index.getIndex(partition).startOffset;
      int length = (int) index.getIndex(partition).rawLength;
      segments.add(Arrays.copyOfRange(file, start, start + length));
    }
    return segments;
  }

  /** Keeps each partition's bytes. */
  private static final class Collected implements PartitionedOutput {
    private final List<byte[]> segments = new ArrayList<>();
    private ByteArrayOutputStream current;

    @Override
    public OutputStream begin(int partition) {
      current = new ByteArrayOutputStream();
      return current;
    }

    @Override
    public void end(int partition, long rawBytes, long records) {
      segments.add(current.toByteArray());
    }
  }
}
