// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.Counters.Counter;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapreduce.MarkableIterator;
import org.apache.hadoop.mapreduce.ReduceContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.counters.GenericCounter;
import org.apache.hadoop.mapreduce.task.ReduceContextImpl;
import org.apache.hadoop.util.Progress;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.sort.merge.Groups;

/** A combiner that does the same things sees the same, on groups and on upstream's context. */
class GroupContextTest {

  private static final int PROGRAMS = 1500;
  private static final int MARK = 0;

  private static byte[] bytes(Writable writable) throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    writable.write(out);
    return java.util.Arrays.copyOf(out.getData(), out.getLength());
  }

  /** Groups of a few numbers each. */
  private static List<List<byte[]>> groups(Random random) throws IOException {
    List<List<byte[]>> groups = new ArrayList<>();
    int count = random.nextInt(5);
    for (int group = 0; group < count; group++) {
      List<byte[]> records = new ArrayList<>();
      records.add(bytes(new Text("key" + "x".repeat(random.nextInt(5)) + group)));
      for (int left = 1 + random.nextInt(6); left > 0; left--) {
        records.add(bytes(new IntWritable(random.nextInt(1000))));
      }
      groups.add(records);
    }
    return groups;
  }

  /** Groups out of lists: the key, then its values. */
  private static final class ListGroups implements Groups {
    private final Iterator<List<byte[]>> groups;
    private List<byte[]> group;
    private int at;
    private int marked;

    ListGroups(List<List<byte[]>> groups) {
      this.groups = groups.iterator();
    }

    @Override
    public boolean nextGroup() {
      if (!groups.hasNext()) {
        return false;
      }
      group = groups.next();
      at = 0;
      marked = 0;
      return true;
    }

    @Override
    public boolean nextValue() {
      if (!hasNextValue()) {
        return false;
      }
      at++;
      return true;
    }

    @Override
    public boolean hasNextValue() {
      return at + 1 < group.size();
    }

    @Override
    public byte[] keyBytes() {
      return group.get(0);
    }

    @Override
    public int keyAt() {
      return 0;
    }

    @Override
    public int keyLength() {
      return group.get(0).length;
    }

    @Override
    public byte[] valueBytes() {
      return group.get(at);
    }

    @Override
    public int valueAt() {
      return 0;
    }

    @Override
    public int valueLength() {
      return group.get(at).length;
    }

    @Override
    public void mark() {
      marked = at;
    }

    @Override
    public void reset() {
      at = marked;
    }
  }

  private static final class ListRecords implements RawKeyValueIterator {
    private final Iterator<byte[][]> records;
    private byte[][] current;

    ListRecords(List<List<byte[]>> groups) {
      List<byte[][]> all = new ArrayList<>();
      for (List<byte[]> group : groups) {
        for (byte[] value : group.subList(1, group.size())) {
          all.add(new byte[][] {group.get(0), value});
        }
      }
      records = all.iterator();
    }

    @Override
    public boolean next() {
      current = records.hasNext() ? records.next() : null;
      return current != null;
    }

    private static DataInputBuffer buffer(byte[] bytes) {
      DataInputBuffer buffer = new DataInputBuffer();
      buffer.reset(bytes, bytes.length);
      return buffer;
    }

    @Override
    public DataInputBuffer getKey() {
      return buffer(current[0]);
    }

    @Override
    public DataInputBuffer getValue() {
      return buffer(current[1]);
    }

    @Override
    public void close() {}

    @Override
    public Progress getProgress() {
      return new Progress();
    }
  }

  private static final TaskAttemptID ATTEMPT = TaskAttemptID.forName("attempt_1_0001_m_000000_0");

  private final JobConf job = new JobConf(false);
  private final Counter ourCount = new Counter();
  private final GenericCounter stockCount = new GenericCounter("n", "n", 0);

  private GroupContext<Text, IntWritable> ours(List<List<byte[]>> groups) throws IOException {
    job.setStrings("io.serializations", "org.apache.hadoop.io.serializer.WritableSerialization");
    return new GroupContext<>(
        new GroupContextFactory<>(job, Text.class, IntWritable.class, false, ourCount),
        ATTEMPT,
        new ListGroups(groups),
        null,
        null);
  }

  private ReduceContext<Text, IntWritable, Text, IntWritable> stock(List<List<byte[]>> groups)
      throws Exception {
    job.setInt("mapreduce.reduce.markreset.buffer.size", 1 << 20);
    return new ReduceContextImpl<>(
        job,
        ATTEMPT,
        new ListRecords(groups),
        null,
        stockCount,
        null,
        null,
        null,
        new Text.Comparator(),
        Text.class,
        IntWritable.class);
  }

  private interface Count {
    long value();
  }

  /** Counts reach the counter by the batch. */
  private Count toldBy(GroupContext<Text, IntWritable> context) {
    return () -> {
      context.tellCounter();
      return ourCount.getValue();
    };
  }

  /** As combiners do that turn their key into another one in place. */
  private static void change(Text key) {
    key.set(key + "!");
  }

  /** What a combiner with some whims sees of one group. */
  private static final class Trace {
    private final List<String> seen;
    private final MarkableIterator<IntWritable> values;
    private IntWritable value;
    private boolean marked;
    private boolean served;
    private boolean wasReset;
    private boolean justReset;
    private boolean peeked;
    private int resets;

    Trace(List<String> seen, Iterator<IntWritable> values) {
      this.seen = seen;
      this.values = new MarkableIterator<>(values);
    }

    void step(int whim) throws IOException {
      switch (whim) {
        case MARK -> mark();
        case 1 -> reset();
        case 2 -> clearMark();
        case 3 -> {
          seen.add("more " + values.hasNext());
          peeked = true;
        }
        default -> next();
      }
    }

    private void mark() throws IOException {
      // upstream trips over a mark right after a reset, or after hasNext in a replay
      if (!justReset && !(wasReset && peeked)) {
        values.mark();
        marked = true;
      }
    }

    private void reset() {
      // upstream hands the first value out twice if it is reset before it was handed out once
      if (!served || resets++ >= 3) {
        return;
      }
      try {
        values.reset();
        wasReset = true;
        justReset = true;
        seen.add("reset");
      } catch (IOException e) {
        assertThat(marked).isFalse();
        seen.add("no mark");
      }
    }

    private void clearMark() throws IOException {
      // upstream forgets a mark after a reset only when the replay ends
      if (!wasReset) {
        values.clearMark();
        marked = false;
      }
    }

    private void next() {
      try {
        IntWritable next = values.next();
        seen.add("value " + next);
        seen.add("same value object " + (value == null || value == next));
        value = next;
        served = true;
        justReset = false;
        peeked = false;
      } catch (NoSuchElementException e) {
        seen.add("no more");
        peeked = true;
        assertThat(values.hasNext()).isFalse();
      }
    }
  }

  private static List<String> trace(
      long seed, ReduceContext<Text, IntWritable, Text, IntWritable> context, Count count)
      throws Exception {
    Random random = new Random(seed);
    // upstream's mark keeps a changed key with the length it had before, and then loses its place
    boolean changesKeys = seed % 2 == 1;
    List<String> seen = new ArrayList<>();
    Text key = null;
    while (context.nextKey()) {
      seen.add("key " + context.getCurrentKey() + " first " + context.getCurrentValue());
      seen.add("same key object " + (key == null || key == context.getCurrentKey()));
      key = context.getCurrentKey();
      Iterator<IntWritable> values = context.getValues().iterator();
      Trace trace = new Trace(seen, values);
      for (int step = random.nextInt(25); step > 0; step--) {
        int whim = random.nextInt(10);
        trace.step(changesKeys && whim == MARK ? MARK + 1 : whim);
        seen.add(context.getCurrentKey() + " " + context.getCurrentValue());
        if (changesKeys && random.nextInt(3) == 0) {
          change(context.getCurrentKey());
        }
        seen.add("read " + count.value());
      }
      ((ReduceContext.ValueIterator<IntWritable>) values).resetBackupStore();
    }
    seen.add("read " + count.value());
    return seen;
  }

  @Test
  void aCombinerSeesWhatItWouldSeeUpstream() throws Exception {
    for (long seed = 0; seed < PROGRAMS; seed++) {
      List<List<byte[]>> groups = groups(new Random(seed));
      stockCount.setValue(0);
      ourCount.setValue(0);
      List<String> upstream = trace(seed, stock(groups), stockCount::getValue);
      GroupContext<Text, IntWritable> ours = ours(groups);
      List<String> seen = trace(seed, ours, toldBy(ours));
      assertThat(seen).as("program %d", seed).isEqualTo(upstream);
      assertThat(ourCount.getValue())
          .isEqualTo(groups.stream().mapToInt(group -> group.size() - 1).sum());
    }
  }

  /** For combiners with a run method of their own. */
  private static List<String> walk(
      long seed, ReduceContext<Text, IntWritable, Text, IntWritable> context, Count count)
      throws Exception {
    Random random = new Random(seed);
    List<String> seen = new ArrayList<>();
    boolean more = true;
    while (more) {
      boolean byKey = random.nextInt(4) == 0;
      more = byKey ? context.nextKey() : context.nextKeyValue();
      seen.add(byKey + " " + more);
      if (more || !byKey) {
        seen.add(context.getCurrentKey() + " " + context.getCurrentValue());
      }
      Iterator<IntWritable> values = context.getValues().iterator();
      while (more && random.nextInt(3) == 0 && values.hasNext()) {
        change(context.getCurrentKey());
        seen.add("value " + values.next() + " of " + context.getCurrentKey());
      }
      seen.add("read " + count.value());
    }
    return seen;
  }

  @Test
  void recordsCanBeReadOneByOneToo() throws Exception {
    for (long seed = 0; seed < PROGRAMS; seed++) {
      List<List<byte[]>> groups = groups(new Random(seed));
      stockCount.setValue(0);
      ourCount.setValue(0);
      List<String> upstream = walk(seed, stock(groups), stockCount::getValue);
      GroupContext<Text, IntWritable> ours = ours(groups);
      assertThat(walk(seed, ours, toldBy(ours))).as("program %d", seed).isEqualTo(upstream);
    }
  }
}
