// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.Task.TaskReporter;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.sort.MapSorter;
import org.mammoth.engine.sort.RecordBuffer;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.RecordSpace;
import org.mammoth.engine.sort.merge.SegmentCursor;

/** A job's combiner of either interface, before the sort and in merges. */
class JobCombinerTest {

  private static final int SLAB = 4096;
  private static final int HASH_SLABS = 20;
  private static final int PARTITIONS = 3;

  @TempDir private Path dir;

  /** Sums, with objects of its own that are used again, as combiners do. */
  public static class NewSum extends Reducer<Text, LongWritable, Text, LongWritable> {
    private final LongWritable sum = new LongWritable();
    private final Text copy = new Text();

    @Override
    protected void reduce(Text key, Iterable<LongWritable> values, Context context)
        throws IOException, InterruptedException {
      long total = 0;
      for (LongWritable value : values) {
        total += value.get();
      }
      sum.set(total);
      copy.set(key);
      context.write(copy, sum);
    }
  }

  public static class OldSum extends MapReduceBase
      implements org.apache.hadoop.mapred.Reducer<Text, LongWritable, Text, LongWritable> {
    private final LongWritable sum = new LongWritable();

    @Override
    public void reduce(
        Text key,
        Iterator<LongWritable> values,
        OutputCollector<Text, LongWritable> output,
        Reporter reporter)
        throws IOException {
      long total = 0;
      while (values.hasNext()) {
        total += values.next().get();
      }
      sum.set(total);
      output.collect(key, sum);
    }
  }

  /** Looks at the first value only, and emits nothing for every other key. */
  public static final class Lazy extends NewSum {
    private boolean odd;

    @Override
    protected void reduce(Text key, Iterable<LongWritable> values, Context context)
        throws IOException, InterruptedException {
      odd = !odd;
      if (odd) {
        context.write(key, values.iterator().next());
      }
    }
  }

  /** Takes note of records before which nobody said that the task is alive. */
  public static final class Slow extends Reducer<Text, LongWritable, Text, LongWritable> {
    private static AtomicBoolean alive;
    private static boolean atKeys;
    private static int silent;

    @Override
    public void run(Context context) throws IOException, InterruptedException {
      while (context.nextKey()) {
        if (atKeys) {
          note();
        }
        for (LongWritable value : context.getValues()) {
          context.write(context.getCurrentKey(), value);
          note();
        }
      }
    }

    private static void note() {
      silent += alive.getAndSet(false) ? 0 : 1;
    }
  }

  public static final class Broken extends NewSum {
    @Override
    protected void reduce(Text key, Iterable<LongWritable> values, Context context)
        throws IOException {
      throw new IOException("user code");
    }
  }

  /** A job's reducer that was made its combiner though it writes other types. */
  @SuppressWarnings({"rawtypes", "unchecked"})
  public static final class OtherTypes extends Reducer {
    @Override
    protected void reduce(Object key, Iterable values, Context context)
        throws IOException, InterruptedException {
      boolean otherKey = key.toString().startsWith("other");
      context.write(
          otherKey ? new BytesWritable(new byte[] {1}) : key,
          otherKey ? new LongWritable(1) : new DoubleWritable(1));
    }
  }

  @SuppressWarnings({"rawtypes", "unchecked"})
  public static final class OldOtherTypes extends MapReduceBase
      implements org.apache.hadoop.mapred.Reducer {
    @Override
    public void reduce(Object key, Iterator values, OutputCollector output, Reporter reporter)
        throws IOException {
      boolean otherKey = key.toString().startsWith("other");
      output.collect(
          otherKey ? new BytesWritable(new byte[] {1}) : key,
          otherKey ? new LongWritable(1) : new DoubleWritable(1));
    }
  }

  /** Adds a key's values to those of the key before it, if both begin alike. */
  public static final class Neighbours extends Reducer<Text, LongWritable, Text, LongWritable> {
    private String first;
    private long sum;

    @Override
    protected void reduce(Text key, Iterable<LongWritable> values, Context context)
        throws IOException, InterruptedException {
      if (first != null && first.charAt(0) != key.toString().charAt(0)) {
        cleanup(context);
        first = null;
      }
      if (first == null) {
        first = key.toString();
        sum = 0;
      }
      for (LongWritable value : values) {
        sum += value.get();
      }
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      if (first != null) {
        context.write(new Text(first), new LongWritable(sum));
      }
    }
  }

  /** Writes the sum for the first key of a group. */
  public static class FirstKey extends Reducer<Text, LongWritable, Text, LongWritable> {
    @Override
    protected void reduce(Text key, Iterable<LongWritable> values, Context context)
        throws IOException, InterruptedException {
      Text first = new Text(key);
      long sum = 0;
      for (LongWritable value : values) {
        sum += value.get();
      }
      context.write(first, new LongWritable(sum));
    }
  }

  public static final class WithRun extends FirstKey {
    @Override
    public void run(Context context) throws IOException, InterruptedException {
      super.run(context);
    }
  }

  public static final class OldFirstKey
      implements org.apache.hadoop.mapred.Reducer<Text, LongWritable, Text, LongWritable> {
    @Override
    public void configure(JobConf job) {}

    @Override
    public void reduce(
        Text key,
        Iterator<LongWritable> values,
        OutputCollector<Text, LongWritable> output,
        Reporter reporter)
        throws IOException {
      Text first = new Text(key);
      long sum = 0;
      while (values.hasNext()) {
        sum += values.next().get();
      }
      output.collect(first, new LongWritable(sum));
    }

    @Override
    public void close() {}
  }

  /** Keys that begin alike are one. */
  public static final class ByFirst extends WritableComparator {
    public ByFirst() {
      super(Text.class, true);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public int compare(WritableComparable left, WritableComparable right) {
      return Character.compare(left.toString().charAt(0), right.toString().charAt(0));
    }
  }

  private static void configure(JobConf job, boolean old) {
    job.setMapOutputKeyClass(Text.class);
    job.setMapOutputValueClass(LongWritable.class);
    if (old) {
      job.setCombinerClass(OldSum.class);
    } else {
      job.setClass("mapreduce.job.combine.class", NewSum.class, Reducer.class);
    }
  }

  private static MapSorter sorter(SortFixture f, int slabs, boolean hash, SpillRuns runs)
      throws Exception {
    JobCombiner<Text, LongWritable> combiner =
        JobCombiner.of(f.job, SortFixture.ATTEMPT, f.reporter);
    MapSorter sorter =
        new MapSorter(
            KeyOrders.of(new Text.Comparator()),
            PARTITIONS,
            SortFixture.slabs(slabs, SLAB),
            SLAB,
            runs,
            combiner,
            3,
            f.reporter);
    if (hash) {
      sorter.combineBeforeSort(combiner);
    }
    return sorter;
  }

  private static void collect(RecordBuffer buffer, String key, long value) throws IOException {
    buffer.begin();
    new Text(key).write(buffer);
    buffer.endKey();
    new LongWritable(value).write(buffer);
    buffer.end(Math.floorMod(key.hashCode(), PARTITIONS));
  }

  /** Finishes the map and sums up what is in its file. */
  private static Map<String, Long> finish(SortFixture f, MapSorter sorter) throws Exception {
    SegmentFormat format = new SegmentFormat(f.job);
    Map<String, Long> sums = new TreeMap<>();
    try (MapOutputWriter output =
        new MapOutputWriter(
            f.job,
            f.files,
            format,
            f.names.getOutputFileForWrite(1),
            PARTITIONS,
            f.attempt,
            IoClass.ACTIVE,
            null)) {
      sorter.finish(output);
      output.finish();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        long length = output.index().partLength(partition);
        try (SegmentCursor cursor =
            new SegmentCursor(
                KeyOrders.of(new Text.Comparator()),
                format.decode(
                    f.attempt.open(
                        output.path().toUri().getPath(),
                        output.index().start(partition),
                        length,
                        IoClass.ACTIVE,
                        null),
                    length),
                "output",
                100,
                output.index().rawLength(partition))) {
          byte[] last = null;
          while (cursor.next()) {
            cursor.complete(new RecordSpace());
            byte[] key = Arrays.copyOfRange(cursor.bytes(), cursor.keyAt(), cursor.valueAt());
            if (last != null) {
              assertThat(new Text.Comparator().compare(last, 0, last.length, key, 0, key.length))
                  .isLessThanOrEqualTo(0);
            }
            last = key;
            add(sums, cursor);
          }
        }
      }
    }
    return sums;
  }

  private static void add(Map<String, Long> sums, SegmentCursor cursor) throws IOException {
    DataInputBuffer in = new DataInputBuffer();
    in.reset(cursor.bytes(), cursor.keyAt(), cursor.keyLength());
    Text key = new Text();
    key.readFields(in);
    in.reset(cursor.bytes(), cursor.valueAt(), cursor.valueLength());
    sums.merge(key.toString(), in.readLong(), Long::sum);
  }

  /** All records fit the table: the counters are those of one spill of stock's. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatFitsTheTableIsCombinedAndCountedOnce(boolean old) throws Exception {
    try (SortFixture f = new SortFixture(dir, 8)) {
      configure(f.job, old);
      Map<String, Long> expected = new TreeMap<>();
      try (MapSorter sorter = sorter(f, HASH_SLABS + 3, true, f.runs())) {
        for (int i = 0; i < 600; i++) {
          collect(sorter.buffer(), "key" + i % 25, i);
          expected.merge("key" + i % 25, (long) i, Long::sum);
        }
        assertThat(finish(f, sorter)).isEqualTo(expected);
      }
      assertThat(f.count(TaskCounter.COMBINE_INPUT_RECORDS)).isEqualTo(600);
      assertThat(f.count(TaskCounter.COMBINE_OUTPUT_RECORDS)).isEqualTo(25);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void withoutTheTableTheQueueIsCombinedAndCountedOnce(boolean old) throws Exception {
    try (SortFixture f = new SortFixture(dir, 8)) {
      configure(f.job, old);
      Map<String, Long> expected = new TreeMap<>();
      try (MapSorter sorter = sorter(f, 30, false, f.runs())) {
        for (int i = 0; i < 600; i++) {
          collect(sorter.buffer(), "key" + i % 25, i);
          expected.merge("key" + i % 25, (long) i, Long::sum);
        }
        assertThat(finish(f, sorter)).isEqualTo(expected);
      }
      assertThat(f.count(TaskCounter.COMBINE_INPUT_RECORDS)).isEqualTo(600);
      assertThat(f.count(TaskCounter.COMBINE_OUTPUT_RECORDS)).isEqualTo(25);
    }
  }

  /**
   * So many keys in so few slabs that a merge begins, and combines, while the table's groups are
   * still being emitted.
   */
  @ParameterizedTest
  @CsvSource({"false, 2", "true, 2", "false, 4", "true, 4"})
  void aMergeInTheMiddleOfAnEmissionSpoilsNothing(boolean old, int sortSlabs) throws Exception {
    try (SortFixture f = new SortFixture(dir, 8)) {
      configure(f.job, old);
      f.job.setInt("mapreduce.map.combine.minspills", 1);
      Random random = new Random(4);
      Map<String, Long> expected = new TreeMap<>();
      try (MapSorter sorter = sorter(f, HASH_SLABS + sortSlabs, true, f.runs())) {
        for (int i = 0; i < 20_000; i++) {
          int number = (int) (700 * Math.pow(random.nextDouble(), 2));
          String key = "key" + number + "x".repeat(number % 20);
          collect(sorter.buffer(), key, i);
          expected.merge(key, (long) i, Long::sum);
        }
        assertThat(finish(f, sorter)).isEqualTo(expected);
        assertThat(sorter.runs()).as("merges before the end").isPositive();
      }
      assertThat(f.filesLeft()).containsExactly("file.out");
    }
  }

  @Test
  void aCombinerThatStopsEarlyLeavesTheOtherGroupsWhole() throws Exception {
    try (SortFixture f = new SortFixture(dir, 8)) {
      configure(f.job, false);
      f.job.setClass("mapreduce.job.combine.class", Lazy.class, Reducer.class);
      try (MapSorter sorter = sorter(f, HASH_SLABS + 3, true, f.runs())) {
        for (int i = 0; i < 300; i++) {
          collect(sorter.buffer(), "k" + i % 10, 1 + i / 10);
        }
        assertThat(finish(f, sorter).values()).isNotEmpty().allMatch(first -> first == 1);
      }
      assertThat(f.count(TaskCounter.COMBINE_INPUT_RECORDS))
          .as("values nobody looked at count too, as upstream")
          .isEqualTo(300);
    }
  }

  @Test
  void whatACombinerThrowsReachesTheTask() throws Exception {
    try (SortFixture f = new SortFixture(dir, 8)) {
      configure(f.job, false);
      f.job.setClass("mapreduce.job.combine.class", Broken.class, Reducer.class);
      try (MapSorter sorter = sorter(f, HASH_SLABS + 3, true, f.runs())) {
        collect(sorter.buffer(), "key", 1);
        assertThatThrownBy(() -> finish(f, sorter)).hasMessage("user code");
      }
      assertThat(f.filesLeft()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void whatACombinerWritesHasTheTypesOfTheMapsOutput(boolean old, boolean hash) throws Exception {
    for (String key : new String[] {"key", "other"}) {
      try (SortFixture f = new SortFixture(dir, 8)) {
        configure(f.job, old);
        if (old) {
          f.job.setCombinerClass(OldOtherTypes.class);
        } else {
          f.job.setClass("mapreduce.job.combine.class", OtherTypes.class, Reducer.class);
        }
        try (MapSorter sorter = sorter(f, HASH_SLABS + 3, hash, f.runs())) {
          collect(sorter.buffer(), key, 1);
          assertThatThrownBy(() -> finish(f, sorter))
              .isInstanceOf(IOException.class)
              .hasMessage(
                  key.equals("other")
                      ? "wrong key class: class org.apache.hadoop.io.BytesWritable is not"
                          + " class org.apache.hadoop.io.Text"
                      : "wrong value class: class org.apache.hadoop.io.DoubleWritable is not"
                          + " class org.apache.hadoop.io.LongWritable");
        }
      }
    }
  }

  /** Ten keys for each of ten letters, all in one partition, in no order. */
  private Map<String, Long> combineLetters(SortFixture f) throws Exception {
    try (MapSorter sorter = sorter(f, HASH_SLABS + 3, true, f.runs())) {
      for (int i = 0; i < 1000; i++) {
        RecordBuffer buffer = sorter.buffer();
        buffer.begin();
        new Text((char) ('a' + i * 7 % 10) + "-" + i * 3 / 10 % 10).write(buffer);
        buffer.endKey();
        new LongWritable(1).write(buffer);
        buffer.end(1);
      }
      return finish(f, sorter);
    }
  }

  private static Map<String, Long> hundredForEachLetter() {
    Map<String, Long> expected = new TreeMap<>();
    for (char letter = 'a'; letter <= 'j'; letter++) {
      expected.put(letter + "-0", 100L);
    }
    return expected;
  }

  @Test
  void aCombinerThatKeepsTheLastKeySeesKeysInTheirOrder() throws Exception {
    try (SortFixture f = new SortFixture(dir, 8)) {
      configure(f.job, false);
      f.job.setClass("mapreduce.job.combine.class", Neighbours.class, Reducer.class);
      assertThat(combineLetters(f)).isEqualTo(hundredForEachLetter());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keysThatTheCombinersComparatorCallsEqualAreCombined(boolean old) throws Exception {
    try (SortFixture f = new SortFixture(dir, 8)) {
      configure(f.job, old);
      if (!old) {
        f.job.setClass("mapreduce.job.combine.class", FirstKey.class, Reducer.class);
      } else {
        f.job.setCombinerClass(OldFirstKey.class);
      }
      f.job.setCombinerKeyGroupingComparator(ByFirst.class);
      assertThat(combineLetters(f)).isEqualTo(hundredForEachLetter());
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Neighbours.class, Lazy.class, OldFirstKey.class, WithRun.class})
  void whatMayKnowOfOtherGroupsMindsTheirOrder(Class<?> combiner) {
    assertThat(CombinerCode.isOfOneGroup(combiner)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        NewSum.class,
        OldSum.class,
        FirstKey.class,
        org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer.class,
        org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer.class,
        org.apache.hadoop.mapred.lib.LongSumReducer.class
      })
  void whatOnlyReducesAGroupDoesNot(Class<?> combiner) {
    assertThat(CombinerCode.isOfOneGroup(combiner)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSlowCombinerIsAlive(boolean hash) throws Exception {
    try (SortFixture f = new SortFixture(dir, 8)) {
      configure(f.job, false);
      f.job.setClass("mapreduce.job.combine.class", Slow.class, Reducer.class);
      Field flag = TaskReporter.class.getDeclaredField("progressFlag");
      flag.setAccessible(true);
      Slow.alive = (AtomicBoolean) flag.get(f.reporter);
      Slow.silent = 0;
      // of a hash table's groups it is told by the batch
      Slow.atKeys = !hash;
      try (MapSorter sorter = sorter(f, HASH_SLABS + 3, hash, f.runs())) {
        for (int i = 0; i < 200; i++) {
          collect(sorter.buffer(), "k" + i % 50, 1);
        }
        assertThat(finish(f, sorter).values()).containsOnly(4L).hasSize(50);
      }
      assertThat(Slow.silent).as("records without a sign of life").isZero();
    }
  }

  @Test
  void aJobWithoutACombinerHasNone() throws Exception {
    try (SortFixture f = new SortFixture(dir, 8)) {
      f.job.setMapOutputKeyClass(Text.class);
      f.job.setMapOutputValueClass(LongWritable.class);
      Object combiner = JobCombiner.of(f.job, SortFixture.ATTEMPT, f.reporter);
      assertThat(combiner).isNull();
    }
  }
}
