// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where equal keys may differ, sums depend on order, too: one of the keys is written. */
class SameBytesTest {

  @TempDir private Path dir;

  /** A key of which a comparator for numbers sees the first eight bytes. */
  public static final class Trip implements WritableComparable<Trip> {
    private long user;
    private long time;

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeLong(user);
      out.writeLong(time);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      user = in.readLong();
      time = in.readLong();
    }

    @Override
    public int compareTo(Trip other) {
      return Long.compare(user, other.user);
    }
  }

  /** Groups numbers, in reduces. */
  public static final class OfReduces extends LongWritable.Comparator {
    public OfReduces() {
      throw new IllegalStateException("only reduces have the file");
    }
  }

  /** On stock Hadoop no map makes what groups in reduces. */
  @Test
  void aMapMakesNoComparatorThatGroupsInReduces() throws Exception {
    try (SortFixture f = new SortFixture(dir, 8)) {
      f.job.setMapOutputKeyClass(LongWritable.class);
      f.job.setMapOutputValueClass(LongWritable.class);
      f.job.setBoolean("mapred.reducer.new-api", true);
      f.job.setClass("mapreduce.job.reduce.class", LongSumReducer.class, Reducer.class);
      assertThat(StockSpill.isFoldedByReduce(f.job)).isTrue();
      f.job.setOutputValueGroupingComparator(LongWritable.Comparator.class);
      assertThat(StockSpill.isFoldedByReduce(f.job)).as("by the order's own class").isTrue();
      f.job.setOutputValueGroupingComparator(OfReduces.class);
      assertThat(StockSpill.isFoldedByReduce(f.job)).isFalse();
    }
  }

  /** A comparator tells what is in a key only if it is of the key's class. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aComparatorOfAnotherClassMaySeeAPartOfAKey(boolean other) throws Exception {
    try (SortFixture f = new SortFixture(dir, 8)) {
      f.job.setMapOutputKeyClass(other ? Trip.class : LongWritable.class);
      f.job.setMapOutputValueClass(LongWritable.class);
      f.job.setOutputKeyComparatorClass(LongWritable.Comparator.class);
      f.job.setBoolean("mapred.reducer.new-api", true);
      f.job.setClass("mapreduce.job.reduce.class", LongSumReducer.class, Reducer.class);
      f.job.setClass("mapreduce.job.combine.class", LongSumReducer.class, Reducer.class);
      JobCombiner<?, ?> combiner = JobCombiner.of(f.job, SortFixture.ATTEMPT, f.reporter);
      assertThat(combiner.foldsExactly()).isEqualTo(!other);
      assertThat(combiner.mindsOrder()).isEqualTo(other);
      assertThat(StockSpill.isFoldedByReduce(f.job)).isEqualTo(!other);
    }
  }
}
