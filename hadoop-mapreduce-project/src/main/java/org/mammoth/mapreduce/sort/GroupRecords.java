// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.util.Progress;
import org.mammoth.engine.sort.Groups;

/** Groups of a hash table as one sequence of records, for combiners of the old interface. */
final class GroupRecords implements RawKeyValueIterator {

  private final Groups groups;
  private final Progress progress = new Progress();
  private final DataInputBuffer key = new DataInputBuffer();
  private final DataInputBuffer value = new DataInputBuffer();
  private boolean inGroup;

  GroupRecords(Groups groups) {
    this.groups = groups;
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
    key.reset(groups.keyBytes(), groups.keyAt(), groups.keyLength());
    return key;
  }

  @Override
  public DataInputBuffer getValue() {
    value.reset(groups.valueBytes(), groups.valueAt(), groups.valueLength());
    return value;
  }

  @Override
  public void close() {}

  @Override
  public Progress getProgress() {
    return progress;
  }
}
