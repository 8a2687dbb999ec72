// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.DataInput;
import java.io.DataOutput;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** For each of some maps, the numbers of its records. Reads nothing. */
public final class NumberedInput extends InputFormat<IntWritable, IntWritable> {
  @Override
  public List<InputSplit> getSplits(JobContext context) {
    List<InputSplit> splits = new ArrayList<>();
    for (int map = 0; map < context.getConfiguration().getInt(TotalsJob.MAPS, 1); map++) {
      splits.add(new Split());
    }
    return splits;
  }

  @Override
  public RecordReader<IntWritable, IntWritable> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new Reader();
  }

  /** All alike: a map has its number from its task. */
  public static final class Split extends InputSplit implements Writable {
    @Override
    public long getLength() {
      return 1;
    }

    @Override
    public String[] getLocations() {
      return new String[0];
    }

    @Override
    public void write(DataOutput out) {}

    @Override
    public void readFields(DataInput in) {}
  }

  private static final class Reader extends RecordReader<IntWritable, IntWritable> {
    private final IntWritable map = new IntWritable();
    private final IntWritable record = new IntWritable(-1);
    private int records;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) {
      records = context.getConfiguration().getInt(TotalsJob.RECORDS, 1);
      map.set(context.getTaskAttemptID().getTaskID().getId());
    }

    @Override
    public boolean nextKeyValue() {
      record.set(record.get() + 1);
      return record.get() < records;
    }

    @Override
    public IntWritable getCurrentKey() {
      return map;
    }

    @Override
    public IntWritable getCurrentValue() {
      return record;
    }

    @Override
    public float getProgress() {
      return (float) Math.max(0, record.get()) / records;
    }

    @Override
    public void close() {}
  }
}
