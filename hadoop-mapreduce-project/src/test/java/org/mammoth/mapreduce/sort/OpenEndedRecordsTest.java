// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.Merger;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.Reducer;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.util.Progress;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mammoth.engine.sort.MapSorter;
import org.mammoth.engine.sort.RecordBuffer;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.PartitionedOutput;
import org.mammoth.engine.sort.merge.RecordCursor;
import org.mammoth.engine.sort.merge.SegmentCursor;
import org.mammoth.engine.sort.merge.SegmentInput;

/**
 * Keys and values that are read to the end of their stream, or ahead, see what they see on stock
 * Hadoop, where the stream ends with the record.
 */
class OpenEndedRecordsTest {

  private static final int SLAB = 4096;
  private static final int SEGMENTS = 5;
  private static final int CHECKSUM_BYTES = 4;

  @TempDir private Path dir;

  /** Says nowhere in its bytes where they end. */
  public static class ToEnd implements WritableComparable<ToEnd> {
    private String text = "";

    final void set(String to) {
      text = to;
    }

    @Override
    public void write(DataOutput out) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      write(bytes, text.getBytes(StandardCharsets.UTF_8));
      out.write(bytes.toByteArray());
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      text = new String(read((DataInputStream) in), StandardCharsets.UTF_8);
    }

    void write(ByteArrayOutputStream out, byte[] content) throws IOException {
      out.write(content);
    }

    byte[] read(DataInputStream in) throws IOException {
      return in.readAllBytes();
    }

    @Override
    public int compareTo(ToEnd other) {
      return text.compareTo(other.text);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof ToEnd same && text.equals(same.text);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }

    @Override
    public String toString() {
      return text;
    }
  }

  public static final class Available extends ToEnd {
    @Override
    byte[] read(DataInputStream in) throws IOException {
      byte[] bytes = new byte[in.available()];
      in.readFully(bytes);
      return bytes;
    }
  }

  @SuppressWarnings("deprecation") // as old programs do
  public static final class Line extends ToEnd {
    @Override
    byte[] read(DataInputStream in) throws IOException {
      String line = in.readLine();
      return line == null ? new byte[0] : line.getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  public static final class Buffered extends ToEnd {
    @Override
    byte[] read(DataInputStream in) throws IOException {
      return new BufferedInputStream(in).readAllBytes();
    }
  }

  public static final class Zipped extends ToEnd {
    @Override
    void write(ByteArrayOutputStream out, byte[] content) throws IOException {
      try (OutputStream zipped = new GZIPOutputStream(out)) {
        zipped.write(content);
      }
    }

    @Override
    byte[] read(DataInputStream in) throws IOException {
      return new GZIPInputStream(in).readAllBytes();
    }
  }

  public static final class AsObject extends ToEnd {
    @Override
    void write(ByteArrayOutputStream out, byte[] content) throws IOException {
      try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
        objects.write(content);
      }
    }

    @Override
    byte[] read(DataInputStream in) throws IOException {
      return new ObjectInputStream(in).readAllBytes();
    }
  }

  /** Gives what it sees. */
  public static final class Witness extends MapReduceBase
      implements Reducer<ToEnd, ToEnd, Text, Text> {
    @Override
    public void reduce(
        ToEnd key, Iterator<ToEnd> values, OutputCollector<Text, Text> output, Reporter reporter)
        throws IOException {
      while (values.hasNext()) {
        ToEnd value = values.next();
        output.collect(new Text(key.toString()), new Text(value.toString()));
      }
    }
  }

  /** Adds up numbers that are written as text. */
  public static final class OldSum extends MapReduceBase
      implements Reducer<Text, ToEnd, Text, ToEnd> {
    @Override
    public void reduce(
        Text key, Iterator<ToEnd> values, OutputCollector<Text, ToEnd> output, Reporter reporter)
        throws IOException {
      long sum = 0;
      while (values.hasNext()) {
        sum += Long.parseLong(values.next().toString());
      }
      output.collect(key, number(sum));
    }
  }

  public static final class NewSum
      extends org.apache.hadoop.mapreduce.Reducer<Text, ToEnd, Text, ToEnd> {
    @Override
    protected void reduce(Text key, Iterable<ToEnd> values, Context context)
        throws IOException, InterruptedException {
      long sum = 0;
      for (ToEnd value : values) {
        sum += Long.parseLong(value.toString());
      }
      context.write(key, number(sum));
    }
  }

  private static ToEnd number(long number) {
    ToEnd value = new ToEnd();
    value.set(Long.toString(number));
    return value;
  }

  static Stream<Arguments> types() {
    return Stream.of(
            ToEnd.class, Available.class, Line.class, Buffered.class, Zipped.class, AsObject.class)
        .flatMap(type -> Stream.of(64, 300, 64 << 10).map(window -> Arguments.of(type, window)));
  }

  /** The same bytes through upstream's own merge of files and through ours. */
  @ParameterizedTest
  @MethodSource("types")
  void anOldReducerSeesWhatItSeesOnStock(Class<? extends ToEnd> type, int window) throws Exception {
    JobConf job = new JobConf(false);
    job.setStrings("io.serializations", "org.apache.hadoop.io.serializer.WritableSerialization");
    job.set("mapreduce.cluster.local.dir", dir.toString());
    job.setMapOutputKeyClass(type);
    job.setMapOutputValueClass(type);
    job.setCombinerClass(Witness.class);
    List<Path> files = segments(job, type);
    RawComparator<?> comparator = WritableComparator.get(type);
    List<String> stock = seen(job, upstream(job, files, type));
    KeyOrder order = KeyOrders.of(comparator);
    List<RecordCursor> cursors = new ArrayList<>();
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      int length = bytes.length - CHECKSUM_BYTES;
      cursors.add(
          new SegmentCursor(order, input(bytes, 0, length), file.toString(), window, length));
    }
    MergedRecords ours = new MergedRecords(new MergeQueue(order, cursors), 1, true, () -> {});
    assertThat(seen(job, ours)).containsExactlyInAnyOrderElementsOf(stock);
  }

  private List<Path> segments(JobConf job, Class<? extends ToEnd> type) throws Exception {
    Random random = new Random(7);
    List<Path> files = new ArrayList<>();
    for (int segment = 0; segment < SEGMENTS; segment++) {
      List<ToEnd> keys = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        ToEnd key = type.getDeclaredConstructor().newInstance();
        key.set("k" + random.nextInt(30));
        keys.add(key);
      }
      keys.sort(null);
      Path file = dir.resolve("segment" + segment);
      try (var out =
          org.apache.hadoop.fs.FileSystem.getLocal(job)
              .getRaw()
              .create(new org.apache.hadoop.fs.Path(file.toString()))) {
        IFile.Writer<Object, Object> writer = writer(job, out, type);
        for (ToEnd key : keys) {
          ToEnd value = type.getDeclaredConstructor().newInstance();
          value.set(Long.toString(random.nextLong(), 36).repeat(random.nextInt(9)));
          writer.append(key, value);
        }
        writer.close();
      }
      files.add(file);
    }
    return files;
  }

  @SuppressWarnings("unchecked")
  private static IFile.Writer<Object, Object> writer(
      JobConf job, org.apache.hadoop.fs.FSDataOutputStream out, Class<?> type) throws IOException {
    return new IFile.Writer<>(job, out, (Class<Object>) type, (Class<Object>) type, null, null);
  }

  @SuppressWarnings("unchecked")
  private RawKeyValueIterator upstream(JobConf job, List<Path> files, Class<?> type)
      throws IOException {
    return Merger.merge(
        job,
        org.apache.hadoop.fs.FileSystem.getLocal(job).getRaw(),
        (Class<Object>) type,
        (Class<Object>) type,
        null,
        files.stream()
            .map(file -> new org.apache.hadoop.fs.Path(file.toString()))
            .toArray(org.apache.hadoop.fs.Path[]::new),
        false,
        2 * SEGMENTS,
        new org.apache.hadoop.fs.Path(dir.resolve("merge").toString()),
        (RawComparator<Object>) (RawComparator<?>) job.getOutputKeyComparator(),
        Reporter.NULL,
        null,
        null,
        new Progress());
  }

  /** What upstream's own reader of the old interface makes of records. */
  private List<String> seen(JobConf job, RawKeyValueIterator records) throws Exception {
    try (SortFixture f = new SortFixture(Files.createTempDirectory(dir, "reader"), 8)) {
      List<String> all = new ArrayList<>();
      Task.CombinerRunner<Object, Object> runner =
          Task.CombinerRunner.create(
              job, SortFixture.ATTEMPT, new Counters.Counter(), f.reporter, null);
      runner.combine(records, (key, value) -> all.add(key + " " + value));
      assertThat(all).hasSize(SEGMENTS * 40);
      return all;
    }
  }

  private static SegmentInput input(byte[] bytes, int from, int length) {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes, from, length);
    return new SegmentInput() {
      @Override
      public int read(byte[] into, int offset, int count) {
        return in.read(into, offset, count);
      }

      @Override
      public void close() {}
    };
  }

  /** A combiner on each of its ways: groups of the table, buffers at the end, merges of runs. */
  @ParameterizedTest
  @CsvSource({
    "true, true, 40",
    "true, false, 40",
    "true, true, 24",
    "true, false, 6",
    "false, true, 40",
    "false, false, 40",
    "false, true, 24",
    "false, false, 6"
  })
  void aCombinerSeesItsValuesWhole(boolean old, boolean hash, int slabs) throws Exception {
    try (SortFixture f = new SortFixture(dir, 8)) {
      f.job.setMapOutputKeyClass(Text.class);
      f.job.setMapOutputValueClass(ToEnd.class);
      f.job.setInt("mapreduce.map.combine.minspills", 1);
      if (old) {
        f.job.setCombinerClass(OldSum.class);
      } else {
        f.job.setClass(
            "mapreduce.job.combine.class", NewSum.class, org.apache.hadoop.mapreduce.Reducer.class);
      }
      Map<String, Long> expected = new TreeMap<>();
      Sums sums = new Sums();
      JobCombiner<?, ?> combiner = JobCombiner.of(f.job, SortFixture.ATTEMPT, f.reporter);
      try (MapSorter sorter =
          new MapSorter(
              KeyOrders.of(new Text.Comparator()),
              2,
              SortFixture.slabs(slabs, SLAB),
              SLAB,
              f.runs(),
              combiner,
              1,
              () -> {})) {
        if (hash) {
          sorter.combineBeforeSort(combiner);
        }
        Random random = new Random(3);
        for (int i = 0; i < 8_000; i++) {
          String key = "key" + random.nextInt(300);
          long value = random.nextInt(1 << random.nextInt(31));
          collect(sorter.buffer(), new Text(key), number(value));
          expected.merge(key, value, Long::sum);
        }
        sorter.finish(sums);
      }
      assertThat(sums.all).isEqualTo(expected);
    }
  }

  private static void collect(RecordBuffer buffer, Text key, Writable value) throws IOException {
    buffer.begin();
    key.write(buffer);
    buffer.endKey();
    value.write(buffer);
    buffer.end(key.toString().hashCode() & 1);
  }

  /** Adds up what a map leaves. */
  private static final class Sums implements PartitionedOutput {
    private final Map<String, Long> all = new TreeMap<>();
    private ByteArrayOutputStream current;

    @Override
    public OutputStream begin(int partition) {
      current = new ByteArrayOutputStream();
      return current;
    }

    @Override
    public void end(int partition, long rawBytes, long records) throws IOException {
      byte[] bytes = current.toByteArray();
      KeyOrder order = KeyOrders.of(new Text.Comparator());
      try (SegmentCursor cursor =
          new SegmentCursor(
              order, input(bytes, 0, bytes.length), "output", 1 << 20, bytes.length)) {
        while (cursor.next()) {
          Text key = new Text();
          InputStream in =
              new ByteArrayInputStream(cursor.bytes(), cursor.keyAt(), cursor.keyLength());
          key.readFields(new DataInputStream(in));
          byte[] value = Arrays.copyOfRange(cursor.bytes(), cursor.valueAt(), cursor.end());
          all.merge(key.toString(), Long.parseLong(new String(value)), Long::sum);
        }
      }
    }
  }
}
