// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Input without a file: the numbers 0 to count - 1, cut into as many even ranges as there are maps.
 * Generators derive each record from its number alone, so their output does not depend on how many
 * maps made it.
 */
public final class RangeInputFormat extends InputFormat<LongWritable, NullWritable> {
  static final String COUNT = "workloads.range.count";
  static final String MAPS = "workloads.range.maps";

  /** Gives the job this input: {@code count} numbers (0 or more) in {@code maps} ranges (1 up). */
  public static void setRange(Job job, long count, int maps) {
    if (count < 0 || maps < 1) {
      throw new IllegalArgumentException(
          "cannot cut " + count + " records into " + maps + " maps; give at least one map");
    }
    job.setInputFormatClass(RangeInputFormat.class);
    job.getConfiguration().setLong(COUNT, count);
    job.getConfiguration().setInt(MAPS, maps);
  }

  @Override
  public List<InputSplit> getSplits(JobContext context) {
    Configuration conf = context.getConfiguration();
    long count = conf.getLong(COUNT, 0);
    int maps = conf.getInt(MAPS, 1);
    List<InputSplit> splits = new ArrayList<>(maps);
    long share = count / maps;
    long rest = count % maps;
    long from = 0;
    for (int map = 0; map < maps; map++) {
      long to = from + share + (map < rest ? 1 : 0);
      splits.add(new Range(from, to));
      from = to;
    }
    return splits;
  }

  @Override
  public RecordReader<LongWritable, NullWritable> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new RangeReader();
  }

  /** The numbers from {@code from} up to, but not with, {@code to}. */
  public static final class Range extends InputSplit implements Writable {
    private long from;
    private long to;

    /** For the framework, which fills it through {@link #readFields}. */
    public Range() {}

    Range(long from, long to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public long getLength() {
      return to - from;
    }

    @Override
    public String[] getLocations() {
      return new String[0];
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeLong(from);
      out.writeLong(to);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      from = in.readLong();
      to = in.readLong();
    }

    @Override
    public String toString() {
      return from + ".." + to;
    }
  }

  private static final class RangeReader extends RecordReader<LongWritable, NullWritable> {
    private final LongWritable key = new LongWritable();
    private long from;
    private long next;
    private long to;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {
      Range range = (Range) split;
      from = range.from;
      next = range.from;
      to = range.to;
    }

    @Override
    public boolean nextKeyValue() {
      if (next >= to) {
        return false;
      }
      key.set(next++);
      return true;
    }

    @Override
    public LongWritable getCurrentKey() {
      return key;
    }

    @Override
    public NullWritable getCurrentValue() {
      return NullWritable.get();
    }

    @Override
    public float getProgress() {
      return to == from ? 1f : (next - from) / (float) (to - from);
    }

    @Override
    public void close() {
      // Nothing is open: the numbers come from the split itself.
    }
  }
}
