// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.pangool;

import com.datasalt.pangool.io.ITuple;
import com.datasalt.pangool.io.Tuple;
import com.datasalt.pangool.tuplemr.Criteria.NullOrder;
import com.datasalt.pangool.tuplemr.Criteria.Order;
import com.datasalt.pangool.tuplemr.OrderBy;
import com.datasalt.pangool.tuplemr.TupleMRBuilder;
import com.datasalt.pangool.tuplemr.TupleMRException;
import com.datasalt.pangool.tuplemr.TupleMapper;
import com.datasalt.pangool.tuplemr.TupleReducer;
import com.datasalt.pangool.tuplemr.TupleRollupReducer;
import com.datasalt.pangool.tuplemr.mapred.lib.input.HadoopInputFormat;
import com.datasalt.pangool.tuplemr.mapred.lib.output.HadoopOutputFormat;
import java.io.IOException;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Three jobs by tuples: a join whose two schemas have orders of their own, with nulls; a roll-up
 * over groups within groups; and sums with a combiner and a named output.
 */
public final class TupleJobs extends Configured implements Tool {

  /** Arguments: VISITS and USERS, text with tabs; OUTPUT, a folder to write. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new TupleJobs(), args));
  }

  @Override
  public int run(String[] args) throws Exception {
    if (args.length != 3) {
      System.err.println("Usage: TupleJobs VISITS USERS OUTPUT");
      return 2;
    }
    Path visits = new Path(args[0]);
    Path users = new Path(args[1]);
    return run(join(visits, users), args[2], "join", new Lines())
            && run(rollup(visits), args[2], "rollup", new Totals())
            && run(sums(visits), args[2], "sums", new Named())
        ? 0
        : 1;
  }

  private boolean run(TupleMRBuilder job, String folder, String name, TupleReducer<?, ?> reducer)
      throws Exception {
    job.setJarByClass(TupleJobs.class);
    job.setTupleReducer(reducer);
    job.setOutput(
        new Path(folder, name),
        new HadoopOutputFormat(TextOutputFormat.class),
        Text.class,
        NullWritable.class);
    Job made = job.createJob();
    made.setNumReduceTasks(2);
    try {
      return made.waitForCompletion(true);
    } finally {
      job.cleanUpInstanceFiles();
    }
  }

  private TupleMRBuilder join(Path visits, Path users) throws TupleMRException {
    TupleMRBuilder job = new TupleMRBuilder(getConf(), "pangool join");
    job.addIntermediateSchema(Tuples.USER);
    job.addIntermediateSchema(Tuples.VISIT);
    job.setGroupByFields("name");
    job.setOrderBy(new OrderBy().add("name", Order.DESC).addSchemaOrder(Order.ASC));
    job.setSpecificOrderBy("user", new OrderBy().add("country", Order.ASC));
    job.setSpecificOrderBy(
        "visit",
        new OrderBy()
            .add("page", Order.DESC, NullOrder.NULL_BIGGEST)
            .add("bytes", Order.ASC)
            .add("second", Order.DESC));
    input(job, visits, new Tuples.Visits());
    input(job, users, new Tuples.Users());
    return job;
  }

  private TupleMRBuilder rollup(Path visits) throws TupleMRException {
    TupleMRBuilder job = new TupleMRBuilder(getConf(), "pangool roll-up");
    job.addIntermediateSchema(Tuples.VISIT);
    job.setGroupByFields("name", "page");
    job.setOrderBy(
        new OrderBy()
            .add("name", Order.ASC)
            .add("page", Order.ASC, NullOrder.NULL_SMALLEST)
            .add("second", Order.DESC));
    job.setRollupFrom("name");
    input(job, visits, new Tuples.Visits());
    return job;
  }

  private TupleMRBuilder sums(Path visits) throws TupleMRException {
    TupleMRBuilder job = new TupleMRBuilder(getConf(), "pangool sums");
    job.addIntermediateSchema(Tuples.HOST);
    job.setGroupByFields("host");
    job.setTupleCombiner(new Sums());
    job.addNamedOutput(
        "large", new HadoopOutputFormat(TextOutputFormat.class), Text.class, NullWritable.class);
    input(job, visits, new Tuples.Hosts());
    return job;
  }

  private static void input(TupleMRBuilder job, Path path, TupleMapper<?, ?> mapper) {
    job.addInput(path, new HadoopInputFormat(TextInputFormat.class), mapper);
  }

  /** Writes each tuple of a group. */
  private static final class Lines extends TupleReducer<Text, NullWritable> {

    private static final long serialVersionUID = 1;

    @Override
    public void reduce(ITuple group, Iterable<ITuple> tuples, TupleMRContext context, Collector out)
        throws IOException, InterruptedException, TupleMRException {
      for (ITuple tuple : tuples) {
        out.write(Tuples.line(tuple), NullWritable.get());
      }
    }
  }

  /** Writes each group's first second, and how many pages and visits a group of groups had. */
  private static final class Totals extends TupleRollupReducer<Text, NullWritable> {

    private static final long serialVersionUID = 1;

    private long pages;
    private long visits;

    @Override
    public void onOpenGroup(
        int depth, String field, ITuple first, TupleMRContext context, Collector out) {
      if (depth == 0) {
        pages = 0;
        visits = 0;
      }
    }

    @Override
    public void reduce(ITuple group, Iterable<ITuple> tuples, TupleMRContext context, Collector out)
        throws IOException, InterruptedException, TupleMRException {
      long seen = visits;
      long latest = -1;
      for (ITuple tuple : tuples) {
        latest = Math.max(latest, tuple.getLong("second"));
        visits++;
      }
      pages++;
      out.write(
          new Text(
              group.get("name")
                  + "\t"
                  + group.get("page")
                  + "\t"
                  + (visits - seen)
                  + "\t"
                  + latest),
          NullWritable.get());
    }

    @Override
    public void onCloseGroup(
        int depth, String field, ITuple last, TupleMRContext context, Collector out)
        throws IOException, InterruptedException, TupleMRException {
      if (depth == 0) {
        out.write(
            new Text(field + "\t" + last.get("name") + "\t" + pages + "\t" + visits),
            NullWritable.get());
      }
    }
  }

  /** Adds up the hosts of a group; the combiner. */
  private static final class Sums extends TupleReducer<ITuple, NullWritable> {

    private static final long serialVersionUID = 1;

    private transient Tuple sum;

    @Override
    public void reduce(ITuple group, Iterable<ITuple> tuples, TupleMRContext context, Collector out)
        throws IOException, InterruptedException, TupleMRException {
      if (sum == null) {
        sum = new Tuple(Tuples.HOST);
      }
      out.write(add(group, tuples, sum), NullWritable.get());
    }

    static Tuple add(ITuple group, Iterable<ITuple> tuples, Tuple sum) {
      long visits = 0;
      long bytes = 0;
      for (ITuple tuple : tuples) {
        visits += tuple.getLong("visits");
        bytes += tuple.getLong("bytes");
      }
      sum.set("host", group.get("host"));
      sum.set("visits", visits);
      sum.set("bytes", bytes);
      return sum;
    }
  }

  /** Writes sums, large ones to the named output. */
  private static final class Named extends TupleReducer<Text, NullWritable> {

    private static final long serialVersionUID = 1;

    private static final long LARGE = 40_000_000;

    @Override
    public void reduce(ITuple group, Iterable<ITuple> tuples, TupleMRContext context, Collector out)
        throws IOException, InterruptedException, TupleMRException {
      Tuple sum = Sums.add(group, tuples, new Tuple(Tuples.HOST));
      Text line = Tuples.line(sum);
      if (sum.getLong("bytes") > LARGE) {
        out.getNamedOutput("large").write(line, NullWritable.get());
      } else {
        out.write(line, NullWritable.get());
      }
    }
  }
}
