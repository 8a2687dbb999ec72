// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.util.Progress;
import org.mammoth.engine.sort.merge.Groups;

/**
 * Groups of a hash table as one sequence of records, for combiners of either interface; what those
 * of the old one are told is said at {@link MergedRecords}. One thread at a time.
 */
final class GroupRecords implements RawKeyValueIterator {

  private final Groups groups;
  private final Progress progress = new Progress();
  private final DataInputBuffer key = new DataInputBuffer();
  private final DataInputBuffer value = new DataInputBuffer();
  private final boolean oldInterface;
  private boolean inGroup;

  GroupRecords(Groups groups, boolean oldInterface) {
    this.groups = groups;
    this.oldInterface = oldInterface;
  }

  @Override
  public boolean next() {
    while (!inGroup || !groups.nextValue()) {
      inGroup = groups.nextGroup();
      if (!inGroup) {
        return false;
      }
    }
    return true;
  }

  @Override
  public DataInputBuffer getKey() {
    point(key, groups.keyBytes(), groups.keyAt(), groups.keyLength());
    return key;
  }

  @Override
  public DataInputBuffer getValue() {
    point(value, groups.valueBytes(), groups.valueAt(), groups.valueLength());
    return value;
  }

  private void point(DataInputBuffer buffer, byte[] bytes, int at, int length) {
    buffer.reset(bytes, at, oldInterface ? length - at : length);
  }

  @Override
  public void close() {}

  @Override
  public Progress getProgress() {
    return progress;
  }
}
