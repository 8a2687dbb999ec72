// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.IOException;
import java.util.Arrays;
import java.util.StringTokenizer;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;

/** The mappers and reducers of {@link Components}, in the order of a run. */
final class ComponentsTasks {

  private ComponentsTasks() {}

  /** What the driver asks of an iteration. */
  enum Count {
    /** Vertices whose label has changed. */
    CHANGED
  }

  /** Reads {@code vertex TAB target target ...} and makes each edge point both ways. */
  public static final class ParseMapper
      extends Mapper<LongWritable, Text, LongWritable, GraphValue> {
    private final LongWritable id = new LongWritable();
    private final GraphValue value = new GraphValue();
    private final long[] one = new long[1];

    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      StringTokenizer numbers = new StringTokenizer(line.toString());
      if (!numbers.hasMoreTokens()) {
        return;
      }
      long vertex = Long.parseLong(numbers.nextToken());
      write(vertex, 0, 0, context);
      while (numbers.hasMoreTokens()) {
        long target = Long.parseLong(numbers.nextToken());
        write(vertex, target, 1, context);
        write(target, vertex, 1, context);
      }
    }

    private void write(long vertex, long neighbour, int degree, Context context)
        throws IOException, InterruptedException {
      id.set(vertex);
      one[0] = neighbour;
      value.setVertex(vertex, one, degree);
      context.write(id, value);
    }
  }

  /** Tells the neighbours the label, and sends the vertex itself along. */
  public static final class LabelMapper
      extends Mapper<LongWritable, GraphValue, LongWritable, GraphValue> {
    private final LongWritable target = new LongWritable();
    private final GraphValue label = new GraphValue();

    @Override
    protected void map(LongWritable id, GraphValue vertex, Context context)
        throws IOException, InterruptedException {
      context.write(id, vertex);
      label.setShare(vertex.rank());
      for (int i = 0; i < vertex.degree(); i++) {
        target.set(vertex.neighbour(i));
        context.write(target, label);
      }
    }
  }

  /** Brings a vertex together, and gives it the least label there is. */
  public static class LeastReducer
      extends Reducer<LongWritable, GraphValue, LongWritable, GraphValue> {
    private final GraphValue vertex = new GraphValue();
    private long[] neighbours = new long[16];
    private long changed;

    @Override
    protected void reduce(LongWritable id, Iterable<GraphValue> values, Context context)
        throws IOException, InterruptedException {
      int degree = 0;
      long before = Long.MAX_VALUE;
      long least = Long.MAX_VALUE;
      for (GraphValue value : values) {
        least = Math.min(least, value.rank());
        if (value.isVertex()) {
          before = value.rank();
          int more = value.degree();
          if (degree + more > neighbours.length) {
            neighbours = Arrays.copyOf(neighbours, (degree + more) * 2);
          }
          for (int i = 0; i < more; i++) {
            neighbours[degree++] = value.neighbour(i);
          }
        }
      }
      changed += least < before ? 1 : 0;
      write(id, least, neighbours, degree, context);
    }

    void write(LongWritable id, long label, long[] targets, int degree, Context context)
        throws IOException, InterruptedException {
      vertex.setVertex(label, targets, degree);
      context.write(id, vertex);
    }

    @Override
    protected void cleanup(Context context) {
      context.getCounter(Count.CHANGED).increment(changed);
    }
  }

  /** Names each neighbour once, in order, so that the order in which they came tells nothing. */
  public static final class StartReducer extends LeastReducer {

    @Override
    void write(LongWritable id, long label, long[] targets, int degree, Context context)
        throws IOException, InterruptedException {
      Arrays.sort(targets, 0, degree);
      int distinct = 0;
      for (int i = 0; i < degree; i++) {
        if (distinct == 0 || targets[i] != targets[distinct - 1]) {
          targets[distinct++] = targets[i];
        }
      }
      super.write(id, label, targets, distinct, context);
    }
  }

  /** Writes each vertex's label, and drops the graph. */
  public static final class WriteMapper
      extends Mapper<LongWritable, GraphValue, LongWritable, LongWritable> {
    private final LongWritable label = new LongWritable();

    @Override
    protected void map(LongWritable id, GraphValue vertex, Context context)
        throws IOException, InterruptedException {
      label.set(vertex.rank());
      context.write(id, label);
    }
  }
}
