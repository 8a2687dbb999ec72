package org.mammoth.mapreduce.sort;

import java.io.IOException;
import java.util.NoSuchElementException;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.mapred.Counters.Counter;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.ReduceContext;
import org.apache.hadoop.mapreduce.StatusReporter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskInputOutputContextImpl;
import org.mammoth.engine.sort.Groups;

/**
 * What a combiner of the new interface sees of a hash table's groups. The key is read once per
 * group, as all its bytes are the same. One thread at a time.
 */
final class GroupContext<K, V> extends TaskInputOutputContextImpl<K, V, K, V>
    implements ReduceContext<K, V, K, V> {

  private final Groups groups;
  private final RecordReader<K> keys;
  private final RecordReader<V> values;
  private final Counter input;
  private final Values iterator = new Values();
  private K key;
  private V value;
  private boolean inGroup;
  private boolean ahead;

  GroupContext(
      GroupContextFactory<K, V> from,
      TaskAttemptID attempt,
      Groups groups,
      RecordWriter<K, V> output,
      StatusReporter reporter)
      throws IOException {
    super(from.job(), attempt, output, null, reporter);
    SerializationFactory serializations = new SerializationFactory(from.job());
    this.groups = groups;
    this.keys = new RecordReader<>(serializations, from.keyClass());
    this.values = new RecordReader<>(serializations, from.valueClass());
    this.input = from.combineInput();
  }

  @Override
  public boolean nextKey() throws IOException {
    while (inGroup && groups.nextValue()) {
      input.increment(1);
    }
    inGroup = groups.nextGroup();
    if (!inGroup) {
      return false;
    }
    key = keys.read(groups.keyBytes(), groups.keyAt(), groups.keyLength());
    ahead = false;
    iterator.enter();
    return true;
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    while (!inGroup || !advance()) {
      if (!nextKey()) {
        return false;
      }
    }
    readValue();
    return true;
  }

  /** Stands on the next value of the group, if there is one. */
  private boolean advance() {
    if (ahead) {
      ahead = false;
      return true;
    }
    boolean more = groups.nextValue();
    if (more) {
      input.increment(1);
    }
    return more;
  }

  private void readValue() throws IOException {
    value = values.read(groups.valueBytes(), groups.valueAt(), groups.valueLength());
  }

  @Override
  public K getCurrentKey() {
    return key;
  }

  @Override
  public V getCurrentValue() {
    return value;
  }

  @Override
  public Iterable<V> getValues() {
    return () -> iterator;
  }

  /** The values of the current group, once through, or again from a mark. */
  private final class Values implements ReduceContext.ValueIterator<V> {
    private boolean marked;

    private void enter() {
      marked = false;
    }

    @Override
    public boolean hasNext() {
      if (!ahead) {
        ahead = advance();
      }
      return ahead;
    }

    @Override
    public V next() {
      if (!hasNext()) {
        throw new NoSuchElementException("iterate past last value");
      }
      ahead = false;
      try {
        readValue();
      } catch (IOException e) {
        throw new IllegalStateException("a value can't be read for the combiner", e);
      }
      return value;
    }

    @Override
    public void mark() {
      if (ahead) {
        throw new IllegalStateException("mark is called between hasNext and next");
      }
      groups.mark();
      marked = true;
    }

    @Override
    public void reset() {
      if (!marked) {
        throw new IllegalStateException("reset without mark");
      }
      groups.reset();
      ahead = false;
    }

    @Override
    public void clearMark() {
      marked = false;
    }

    @Override
    public void resetBackupStore() {
      marked = false;
    }
  }
}
