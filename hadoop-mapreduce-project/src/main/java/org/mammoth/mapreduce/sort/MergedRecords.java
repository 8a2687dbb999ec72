// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.IOException;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.util.Progress;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.RecordCursor;
import org.mammoth.engine.sort.merge.RecordSpace;

/**
 * Merged records as Hadoop's reducers and combiners read them. One thread at a time.
 *
 * <p>Upstream's readers of the old interface take a buffer's {@code getLength()}, which is where
 * its bytes end in the array, for the length of a record. Both are the same where a record begins
 * an array, as in what upstream's merge reads of files; here none does, so those readers are told
 * the length. Else they would see what follows the record, and the end of the array.
 */
public final class MergedRecords implements RawKeyValueIterator {

  private final MergeQueue queue;
  private final MergeProgress progress;
  private final DataInputBuffer key = new DataInputBuffer();
  private final DataInputBuffer value = new DataInputBuffer();
  private final RecordSpace space = new RecordSpace();
  private final boolean oldInterface;
  private final Runnable failed;
  private RecordCursor current;

  /**
   * Goes through {@code queue}.
   *
   * @param bytes of all its records with their lengths, for the progress
   * @param oldInterface whether a reducer or combiner of {@code org.apache.hadoop.mapred} reads
   *     them
   * @param failed called when its inputs can't be read, before the error is thrown
   */
  public MergedRecords(MergeQueue queue, long bytes, boolean oldInterface, Runnable failed) {
    this.queue = queue;
    this.oldInterface = oldInterface;
    this.progress = new MergeProgress(bytes);
    this.failed = failed;
  }

  /**
   * Brings the first record near, without moving to it; before the first call of {@link #next}.
   *
   * @throws IOException if an input can't be read; nobody else is told
   */
  public void begin() throws IOException {
    queue.isEmpty();
  }

  @Override
  public boolean next() throws IOException {
    try {
      if (!queue.next()) {
        current = null;
        progress.ended();
        return false;
      }
    } catch (IOException e) {
      failed.run();
      throw e;
    }
    current = queue.top();
    progress.passed(current.keyLength(), current.valueLength());
    return true;
  }

  @Override
  public DataInputBuffer getKey() {
    point(key, current.keyAt(), current.keyLength());
    return key;
  }

  @Override
  public DataInputBuffer getValue() throws IOException {
    if (current.isPartial()) {
      complete();
    }
    point(value, current.valueAt(), current.valueLength());
    return value;
  }

  private void point(DataInputBuffer buffer, int at, int length) {
    buffer.reset(current.bytes(), at, oldInterface ? length - at : length);
  }

  private void complete() throws IOException {
    try {
      current.complete(space);
    } catch (IOException e) {
      failed.run();
      throw e;
    }
  }

  @Override
  public void close() {}

  @Override
  public Progress getProgress() {
    return progress;
  }
}
