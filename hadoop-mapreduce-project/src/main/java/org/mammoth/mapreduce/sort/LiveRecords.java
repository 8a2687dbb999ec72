// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.IOException;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.util.Progress;

/**
 * The records of another iterator; says with each that the task is alive. Upstream's map goes on
 * collecting while its spills are combined; here the combiner is all that runs. One thread at a
 * time.
 */
final class LiveRecords implements RawKeyValueIterator {

  private final RawKeyValueIterator records;
  private final ProgressFlag progress;

  LiveRecords(RawKeyValueIterator records, ProgressFlag progress) {
    this.records = records;
    this.progress = progress;
  }

  @Override
  public boolean next() throws IOException {
    progress.raise();
    return records.next();
  }

  @Override
  public DataInputBuffer getKey() throws IOException {
    return records.getKey();
  }

  @Override
  public DataInputBuffer getValue() throws IOException {
    return records.getValue();
  }

  @Override
  public void close() throws IOException {
    records.close();
  }

  @Override
  public Progress getProgress() {
    return records.getProgress();
  }
}
