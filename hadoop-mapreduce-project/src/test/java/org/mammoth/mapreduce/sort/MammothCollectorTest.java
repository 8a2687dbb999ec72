// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataOutput;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.MapOutputCollector;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;
import org.apache.hadoop.util.Progress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.SortKeys;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.memory.BufferKind;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.mapreduce.buffers.AttemptFiles;
import org.mammoth.mapreduce.buffers.InputReads;
import org.mammoth.mapreduce.buffers.MapBuffers;
import org.mammoth.mapreduce.buffers.OwnCounters;
import org.mammoth.mapreduce.buffers.ReduceBuffers;
import org.mammoth.mapreduce.buffers.TaskBuffers;
import org.mammoth.mapreduce.buffers.TaskCache;
import org.mammoth.mapreduce.transfer.EngineShuffle;

/** The collector of a map task, from its first record to its output. */
class MammothCollectorTest {

  private static final int SLAB = 4096;
  private static final int SLABS = 12;
  private static final long PETABYTE = 1L << 50;

  @TempDir private Path dir;
  private final List<MapOutput> published = new ArrayList<>();

  public static final class Broken extends Reducer<Text, LongWritable, Text, LongWritable> {
    @Override
    protected void reduce(Text key, Iterable<LongWritable> values, Context context) {
      throw new IllegalArgumentException("user code");
    }
  }

  public static final class Endless extends Reducer<Text, LongWritable, Text, LongWritable> {
    @Override
    protected void reduce(Text key, Iterable<LongWritable> values, Context context) {
      throw new StackOverflowError("user code");
    }
  }

  /** No memory is the engine's to know. */
  public static final class Greedy extends Reducer<Text, LongWritable, Text, LongWritable> {
    @Override
    protected void reduce(Text key, Iterable<LongWritable> values, Context context) {
      throw new OutOfMemoryError("user code");
    }
  }

  /** A comparator that lacks a class. */
  public static final class Incomplete extends Text.Comparator {
    private static final Object MISSING = missing();

    private static Object missing() {
      throw new NoClassDefFoundError("com/example/Missing");
    }
  }

  public static final class Unwritable extends LongWritable {
    @Override
    public void write(DataOutput out) {
      throw new IllegalStateException("no bytes");
    }
  }

  /** What a map attempt of {@link SortFixture} may use. */
  private record Buffers(SortFixture map, List<MapOutput> published)
      implements TaskBuffers, TaskBuffers.Holder, TaskProcess.Listener {

    @Override
    public TaskBuffers buffers() {
      return this;
    }

    @Override
    public MapBuffers openMap(double weight) {
      return new MapBuffers(
          SortFixture.slabs(SLABS, SLAB), SLAB, map.memory.sort(), map.memory.send());
    }

    @Override
    public ReduceBuffers openReduce(double weight) {
      throw new UnsupportedOperationException("it is a map");
    }

    @Override
    public void publish(MapOutput output) {
      published.add(output);
    }

    @Override
    public void revocable(BufferKind kind, LongSupplier bytes, LongUnaryOperator revoke) {}

    @Override
    public AttemptFiles files() {
      return map.attempt;
    }

    @Override
    public InputReads input() {
      return null;
    }

    @Override
    public TaskCache dataCache() {
      return null;
    }

    @Override
    public OwnCounters counters() {
      return new OwnCounters();
    }

    @Override
    public SendBuffer sendBuffer() {
      return null;
    }

    @Override
    public EngineShuffle shuffle() {
      return null;
    }

    @Override
    public void onEnd(Runnable action) {}

    @Override
    public List<String> localDirs() {
      return List.of(map.dir.toString());
    }

    @Override
    public void onExit(int status, boolean halt) {}

    @Override
    public void onProcessNeeded(String what) {}

    @Override
    public void onUncaught(Thread thread, Throwable error) {}

    @Override
    public void onOutOfMemory(Thread thread, OutOfMemoryError error) {}
  }

  /** What a mapper does. */
  private interface Mapper {
    void run(MammothCollector<Text, LongWritable> collector) throws Exception;
  }

  private static MapTask task(SortFixture map) throws ReflectiveOperationException {
    MapTask task = new MapTask("", SortFixture.ATTEMPT, 0, new TaskSplitIndex(), 1);
    task.setConf(map.job);
    for (String phase : new String[] {"mapPhase", "sortPhase"}) {
      Field field = MapTask.class.getDeclaredField(phase);
      field.setAccessible(true);
      field.set(task, new Progress());
    }
    return task;
  }

  /** Runs a map on a thread of its task. */
  private void run(SortFixture map, Mapper mapper) throws Exception {
    map.job.setNumReduceTasks(2);
    map.job.setMapOutputKeyClass(Text.class);
    map.job.setIfUnset("mapreduce.map.output.value.class", LongWritable.class.getName());
    Buffers buffers = new Buffers(map, published);
    TaskProcess process = TaskProcess.builder("map").workDir(dir).listener(buffers).build();
    FutureTask<Void> work =
        new FutureTask<>(
            () -> {
              MammothCollector<Text, LongWritable> collector = new MammothCollector<>();
              collector.init(new MapOutputCollector.Context(task(map), map.job, map.reporter));
              try {
                mapper.run(collector);
              } finally {
                collector.close();
              }
              return null;
            });
    new Thread(process.threads(), work, "map").start();
    try {
      work.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      process.close();
      published.forEach(MapOutput::close);
    }
  }

  private static void collect(MammothCollector<Text, LongWritable> collector, int records)
      throws IOException {
    for (int i = 0; i < records; i++) {
      collector.collect(new Text("key" + i), new LongWritable(i), i & 1);
    }
  }

  /** A combiner or a codec may make little of more bytes than any disk has free. */
  @Test
  void whatWasCollectedNeedNotFitADisk() throws Exception {
    try (SortFixture map = new SortFixture(dir, 8)) {
      run(
          map,
          collector -> {
            collect(collector, 1_000);
            map.reporter.getCounter(TaskCounter.MAP_OUTPUT_BYTES).increment(PETABYTE);
            collector.flush();
          });
      assertThat(published).hasSize(1);
      assertThat(map.count(TaskCounter.MAP_OUTPUT_RECORDS)).isEqualTo(1_000);
    }
  }

  @Test
  void whatACombinerThrowsIsToldAsUpstreamDoes() throws Exception {
    try (SortFixture map = new SortFixture(dir, 8)) {
      map.job.setClass("mapreduce.job.combine.class", Broken.class, Reducer.class);
      map.job.setBoolean("mapred.mapper.new-api", true);
      // else it would run once, at the end
      map.job.setBoolean(SortKeys.STOCK_ORDER.name(), false);
      assertThatThrownBy(() -> run(map, collector -> collect(collector, 10_000)))
          .isExactlyInstanceOf(IOException.class)
          .hasMessage("Spill failed")
          .hasRootCauseInstanceOf(IllegalArgumentException.class)
          .hasRootCauseMessage("user code");
    }
  }

  /** Upstream sorts and combines on another thread, and wraps whatever that ended with. */
  @Test
  void anErrorOfACombinerIsToldAsUpstreamDoes() throws Exception {
    try (SortFixture map = new SortFixture(dir, 8)) {
      map.job.setClass("mapreduce.job.combine.class", Endless.class, Reducer.class);
      map.job.setBoolean("mapred.mapper.new-api", true);
      map.job.setBoolean(SortKeys.STOCK_ORDER.name(), false);
      assertThatThrownBy(() -> run(map, collector -> collect(collector, 10_000)))
          .isExactlyInstanceOf(IOException.class)
          .hasMessage("Spill failed")
          .hasCauseInstanceOf(StackOverflowError.class);
    }
  }

  @Test
  void withoutMemoryTheTaskEnds() throws Exception {
    try (SortFixture map = new SortFixture(dir, 8)) {
      map.job.setClass("mapreduce.job.combine.class", Greedy.class, Reducer.class);
      map.job.setBoolean("mapred.mapper.new-api", true);
      map.job.setBoolean(SortKeys.STOCK_ORDER.name(), false);
      assertThatThrownBy(() -> run(map, collector -> collect(collector, 10_000)))
          .hasRootCauseInstanceOf(OutOfMemoryError.class)
          .isInstanceOf(ExecutionException.class);
    }
  }

  /** Upstream goes on with its next collector after an exception only. */
  @Test
  void whatIsMissingLeavesTheMapToTheNextCollector() throws Exception {
    try (SortFixture map = new SortFixture(dir, 8)) {
      map.job.setOutputKeyComparatorClass(Incomplete.class);
      assertThatThrownBy(() -> run(map, collector -> collect(collector, 1)))
          .isExactlyInstanceOf(IOException.class)
          .hasRootCauseInstanceOf(NoClassDefFoundError.class);
    }
  }

  /** The mapper's own mistakes stay what they are. */
  @Test
  void whatAValueThrowsWhileItIsWrittenIsItsOwn() throws Exception {
    try (SortFixture map = new SortFixture(dir, 8)) {
      map.job.setMapOutputValueClass(Unwritable.class);
      assertThatThrownBy(
              () -> run(map, collector -> collector.collect(new Text("key"), new Unwritable(), 0)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no bytes");
    }
  }
}
