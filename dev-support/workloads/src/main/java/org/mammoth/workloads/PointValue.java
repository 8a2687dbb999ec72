// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/** So many points of {@link KMeans}, as the sum of their coordinates. */
public final class PointValue implements Writable {
  private long count;
  private long[] sum = new long[0];

  /** Makes this one point. */
  void setPoint(long[] coordinates) {
    count = 1;
    sum = coordinates;
  }

  long count() {
    return count;
  }

  long[] sum() {
    return sum;
  }

  /** Adds other points; the first give this their number of coordinates. */
  void add(PointValue other) {
    if (count == 0) {
      sum = new long[other.sum.length];
    }
    count += other.count;
    for (int i = 0; i < sum.length; i++) {
      sum[i] += other.sum[i];
    }
  }

  @Override
  public void write(DataOutput out) throws IOException {
    WritableUtils.writeVLong(out, count);
    WritableUtils.writeVInt(out, sum.length);
    for (long coordinate : sum) {
      WritableUtils.writeVLong(out, coordinate);
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    count = WritableUtils.readVLong(in);
    int dimensions = WritableUtils.readVInt(in);
    if (sum.length != dimensions) {
      sum = new long[dimensions];
    }
    for (int i = 0; i < dimensions; i++) {
      sum[i] = WritableUtils.readVLong(in);
    }
  }
}
