// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.IOException;
import java.util.Arrays;
import java.util.StringTokenizer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;

/** The mappers and reducers of {@link PageRank}, in the order of a run. */
final class PageRankTasks {
  static final String VERTICES = "pagerank.vertices";
  static final String DANGLING = "pagerank.dangling";
  static final double DAMPING = 0.85;

  private PageRankTasks() {}

  /** What the driver hands from one job to the next. */
  enum Sum {
    /** Vertices, whether they have a line of their own or are only pointed to. */
    VERTICES,
    /** Rank of the vertices that point nowhere, in units of 1 / {@link GraphValue#ONE}. */
    DANGLING
  }

  /** Reads {@code vertex TAB target target ...}; targets are mentioned so that they exist. */
  public static final class ParseMapper
      extends Mapper<LongWritable, Text, LongWritable, GraphValue> {
    private final LongWritable id = new LongWritable();
    private final GraphValue value = new GraphValue();
    private long[] targets = new long[16];

    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      StringTokenizer numbers = new StringTokenizer(line.toString());
      if (!numbers.hasMoreTokens()) {
        return;
      }
      long vertex = number(numbers.nextToken(), offset, line);
      int degree = 0;
      while (numbers.hasMoreTokens()) {
        if (degree == targets.length) {
          targets = Arrays.copyOf(targets, degree * 2);
        }
        targets[degree++] = number(numbers.nextToken(), offset, line);
      }
      id.set(vertex);
      value.setVertex(GraphValue.ONE, targets, degree);
      context.write(id, value);
      value.setShare(0);
      for (int i = 0; i < degree; i++) {
        id.set(targets[i]);
        context.write(id, value);
      }
    }

    private static long number(String token, LongWritable offset, Text line) throws IOException {
      try {
        return Long.parseLong(token);
      } catch (NumberFormatException e) {
        throw new IOException(
            "'"
                + token
                + "' at byte "
                + offset
                + " is no vertex number; a line is 'vertex TAB target target ...', this one is: "
                + line,
            e);
      }
    }
  }

  /** Sends each neighbour its share, and the vertex itself along. */
  public static final class ShareMapper
      extends Mapper<LongWritable, GraphValue, LongWritable, GraphValue> {
    private final LongWritable target = new LongWritable();
    private final GraphValue share = new GraphValue();

    @Override
    protected void map(LongWritable id, GraphValue vertex, Context context)
        throws IOException, InterruptedException {
      context.write(id, vertex);
      int degree = vertex.degree();
      if (degree > 0) {
        share.setShare(vertex.rank() / degree);
        for (int i = 0; i < degree; i++) {
          target.set(vertex.neighbour(i));
          context.write(target, share);
        }
      }
    }
  }

  /** Brings a vertex and its shares together again; what to make of them is the subclass's. */
  abstract static class GatherReducer<V extends Writable>
      extends Reducer<LongWritable, GraphValue, LongWritable, V> {
    private long[] targets = new long[16];
    private int degree;
    private long shares;
    private long vertices;
    private long dangling;

    @Override
    protected void reduce(LongWritable id, Iterable<GraphValue> values, Context context)
        throws IOException, InterruptedException {
      degree = 0;
      shares = 0;
      for (GraphValue value : values) {
        if (value.isVertex()) {
          add(value);
        } else {
          shares += value.rank();
        }
      }
      long rank = rank(shares);
      vertices++;
      if (degree == 0) {
        dangling += rank;
      }
      emit(id, rank, targets, degree, context);
    }

    private void add(GraphValue vertex) {
      int more = vertex.degree();
      if (degree + more > targets.length) {
        targets = Arrays.copyOf(targets, (degree + more) * 2);
      }
      for (int i = 0; i < more; i++) {
        targets[degree++] = vertex.neighbour(i);
      }
    }

    abstract long rank(long sumOfShares);

    abstract void emit(LongWritable id, long rank, long[] targets, int degree, Context context)
        throws IOException, InterruptedException;

    @Override
    protected void cleanup(Context context) {
      context.getCounter(Sum.VERTICES).increment(vertices);
      context.getCounter(Sum.DANGLING).increment(dangling);
    }
  }

  /** Writes the graph as it is between iterations. Here: every vertex with the mean rank. */
  public static class StartReducer extends GatherReducer<GraphValue> {
    private final GraphValue vertex = new GraphValue();

    @Override
    long rank(long sumOfShares) {
      return GraphValue.ONE;
    }

    @Override
    void emit(LongWritable id, long rank, long[] targets, int degree, Context context)
        throws IOException, InterruptedException {
      vertex.setVertex(rank, targets, degree);
      context.write(id, vertex);
    }
  }

  /** A vertex's new rank out of its shares and its part of what dangling vertices hold. */
  static final class Step {
    private final double base;

    Step(Configuration conf) {
      double everybody = (double) conf.getLong(DANGLING, 0) / conf.getLong(VERTICES, 1);
      base = (1 - DAMPING) * GraphValue.ONE + DAMPING * everybody;
    }

    long rank(long sumOfShares) {
      return Math.round(base + DAMPING * sumOfShares);
    }
  }

  /** All iterations but the last. */
  public static final class StepReducer extends StartReducer {
    private Step step;

    @Override
    protected void setup(Context context) {
      step = new Step(context.getConfiguration());
    }

    @Override
    long rank(long sumOfShares) {
      return step.rank(sumOfShares);
    }
  }

  /** The last iteration: writes each vertex's rank as a share of one, and drops the graph. */
  public static final class LastReducer extends GatherReducer<DoubleWritable> {
    private final DoubleWritable share = new DoubleWritable();
    private Step step;
    private double total;

    @Override
    protected void setup(Context context) {
      step = new Step(context.getConfiguration());
      total = (double) GraphValue.ONE * context.getConfiguration().getLong(VERTICES, 1);
    }

    @Override
    long rank(long sumOfShares) {
      return step.rank(sumOfShares);
    }

    @Override
    void emit(LongWritable id, long rank, long[] targets, int degree, Context context)
        throws IOException, InterruptedException {
      share.set(rank / total);
      context.write(id, share);
    }
  }
}
