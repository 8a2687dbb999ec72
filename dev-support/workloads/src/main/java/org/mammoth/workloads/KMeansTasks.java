// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.IOException;
import java.util.StringTokenizer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;

/** The mappers and the reducer of {@link KMeans}, in the order of a run. */
final class KMeansTasks {
  static final String CENTRES = "kmeans.centres";

  private KMeansTasks() {}

  private static long[] coordinates(String line) {
    StringTokenizer numbers = new StringTokenizer(line);
    long[] coordinates = new long[numbers.countTokens()];
    for (int i = 0; i < coordinates.length; i++) {
      coordinates[i] = Long.parseLong(numbers.nextToken());
    }
    return coordinates;
  }

  /** Reads a point per line. */
  public static final class ParseMapper
      extends Mapper<LongWritable, Text, NullWritable, PointValue> {
    private final PointValue point = new PointValue();

    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      point.setPoint(coordinates(line.toString()));
      context.write(NullWritable.get(), point);
    }
  }

  /** Adds each point to its nearest centre, and tells the sums at the end. */
  public static final class NearestMapper
      extends Mapper<NullWritable, PointValue, IntWritable, PointValue> {
    private long[][] centres;
    private PointValue[] sums;

    @Override
    protected void setup(Context context) {
      String[] lines = context.getConfiguration().getStrings(CENTRES);
      centres = new long[lines.length][];
      sums = new PointValue[lines.length];
      for (int i = 0; i < lines.length; i++) {
        centres[i] = coordinates(lines[i]);
        sums[i] = new PointValue();
      }
    }

    @Override
    protected void map(NullWritable nothing, PointValue point, Context context) {
      sums[nearest(point.sum())].add(point);
    }

    private int nearest(long[] point) {
      int nearest = 0;
      long least = Long.MAX_VALUE;
      for (int c = 0; c < centres.length; c++) {
        long distance = 0;
        for (int i = 0; i < point.length; i++) {
          long apart = point[i] - centres[c][i];
          distance += apart * apart;
        }
        if (distance < least) {
          least = distance;
          nearest = c;
        }
      }
      return nearest;
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      for (int c = 0; c < sums.length; c++) {
        if (sums[c].count() > 0) {
          context.write(new IntWritable(c), sums[c]);
        }
      }
    }
  }

  /** Makes a centre of its points. */
  public static final class MeanReducer
      extends Reducer<IntWritable, PointValue, IntWritable, Text> {
    @Override
    protected void reduce(IntWritable centre, Iterable<PointValue> parts, Context context)
        throws IOException, InterruptedException {
      PointValue all = new PointValue();
      parts.forEach(all::add);
      StringBuilder text = new StringBuilder().append(all.count());
      for (long sum : all.sum()) {
        text.append(' ').append(Math.floorDiv(sum, all.count()));
      }
      context.write(centre, new Text(text.toString()));
    }
  }
}
