// SPDX-License-Identifier: Apache-2.0
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
import org.mammoth.engine.sort.merge.Groups;

/**
 * What a combiner of the new interface sees of a hash table's groups; behaves as upstream's
 * ReduceContextImpl does on sorted records, marks and resets included. As there the key is read
 * anew with each value, though all its bytes are the same: a combiner may change the key object
 * while it goes through the values. Only one that is known to leave it as it is has it read once.
 * One thread at a time.
 */
final class GroupContext<K, V> extends TaskInputOutputContextImpl<K, V, K, V>
    implements ReduceContext<K, V, K, V> {

  private static final int COUNT_AT = 256;

  private final Groups groups;
  private final RecordReader<K> keys;
  private final RecordReader<V> values;
  private final Counter input;
  private final boolean keyOnce;
  private final Values iterator = new Values();
  private K key;
  private V value;
  private boolean inGroup;

  /** The current value is still to be handed out by the iterator. */
  private boolean unserved;

  /** The value object does not hold it yet. */
  private boolean unread;

  /** Values of the group up to the current one, and the most this has been: a reset goes back. */
  private long position;

  private long counted;
  private int uncounted;

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
    this.keyOnce = from.keyOnce();
  }

  @Override
  public boolean nextKey() throws IOException {
    while (inGroup && groups.nextValue()) {
      count();
    }
    return enterGroup();
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    if (inGroup && groups.nextValue()) {
      readRecord();
      unserved = false;
      return true;
    }
    if (enterGroup()) {
      return true;
    }
    key = null;
    value = null;
    return false;
  }

  /** Moves to the first value of the next group. */
  private boolean enterGroup() throws IOException {
    inGroup = groups.nextGroup();
    if (!inGroup) {
      unserved = false;
      return false;
    }
    position = 0;
    counted = 0;
    groups.nextValue();
    readRecord();
    unserved = true;
    return true;
  }

  /**
   * Reads the value the groups have moved to, and the key with it unless it came before a reset.
   */
  private void readRecord() throws IOException {
    if (count() && (position == 1 || !keyOnce)) {
      key = keys.read(groups.keyBytes(), groups.keyAt(), groups.keyLength());
    }
    readValue();
  }

  /** Counts a value that comes for the first time; false of one that comes again after a reset. */
  private boolean count() {
    position++;
    if (position <= counted) {
      return false;
    }
    counted = position;
    if (++uncounted == COUNT_AT) {
      tellCounter();
      progress();
    }
    return true;
  }

  /** Counters take a lock each; values are told to them by the batch, and at the end. */
  void tellCounter() {
    input.increment(uncounted);
    uncounted = 0;
  }

  private void readValue() throws IOException {
    value = values.read(groups.valueBytes(), groups.valueAt(), groups.valueLength());
    unread = false;
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
    private long markedPosition;

    @Override
    public boolean hasNext() {
      return unserved || inGroup && groups.hasNextValue();
    }

    @Override
    public V next() {
      try {
        if (unserved) {
          unserved = false;
          if (unread) {
            readValue();
          }
        } else if (inGroup && groups.nextValue()) {
          readRecord();
        } else {
          throw new NoSuchElementException("iterate past last value");
        }
      } catch (IOException e) {
        throw new IllegalStateException("a value can't be read for the combiner", e);
      }
      return value;
    }

    @Override
    public void mark() {
      groups.mark();
      markedPosition = position;
      marked = true;
    }

    /** The value that was current at the mark comes once more. */
    @Override
    public void reset() throws IOException {
      if (!marked) {
        throw new IOException("reset without a mark before it");
      }
      groups.reset();
      position = markedPosition;
      unserved = true;
      unread = true;
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
