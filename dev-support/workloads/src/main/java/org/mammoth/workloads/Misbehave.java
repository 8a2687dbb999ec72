// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * A job whose tasks do one of {@link Misdeeds}. Each map writes, per record, its task's name and
 * what it has observed; the one reduce passes that on in order, so that the output says whether the
 * tasks that did nothing wrong came through unharmed. Properties, given with {@code -D}:
 *
 * <ul>
 *   <li>{@code misbehave.maps} (2): number of maps.
 *   <li>{@code misbehave.records} (1): records per map; the misdeed is done on each.
 *   <li>{@code misbehave.where} (map): in {@code map} or {@code reduce}.
 *   <li>{@code misbehave.tasks} (all): {@code all}, or the number of the one task that does it.
 *   <li>{@code misbehave.attempts} (first): {@code first}, so that a retry succeeds, or {@code
 *       all}.
 *   <li>{@code misbehave.pause-ms} (0): pause after each record, to make tasks overlap.
 * </ul>
 */
public final class Misbehave extends Configured implements Tool {
  static final String MAPS = "misbehave.maps";
  static final String RECORDS = "misbehave.records";
  static final String WHERE = "misbehave.where";
  static final String TASKS = "misbehave.tasks";
  static final String ATTEMPTS = "misbehave.attempts";
  static final String PAUSE_MS = "misbehave.pause-ms";
  static final String KIND = "misbehave.kind";
  static final String ARGUMENT = "misbehave.argument";

  /** Whether, and how, the task of a context misbehaves. */
  private static final class Temper {
    private final Misdeeds.Kind kind;
    private final String argument;
    private final String attempt;
    private final long pauseMillis;

    Temper(TaskInputOutputContext<?, ?, ?, ?> context, String place) {
      Configuration conf = context.getConfiguration();
      TaskAttemptID id = context.getTaskAttemptID();
      attempt = id.toString();
      argument = conf.get(ARGUMENT, "");
      pauseMillis = conf.getLong(PAUSE_MS, 0);
      String tasks = conf.get(TASKS, "all");
      boolean bad =
          conf.get(WHERE, "map").equals(place)
              && (tasks.equals("all") || Integer.parseInt(tasks) == id.getTaskID().getId())
              && (conf.get(ATTEMPTS, "first").equals("all") || id.getId() == 0);
      kind = bad ? Misdeeds.Kind.of(conf.get(KIND)) : Misdeeds.Kind.NONE;
    }

    String act() throws IOException, InterruptedException {
      String observed = Misdeeds.commit(kind, argument, attempt);
      if (pauseMillis > 0) {
        Thread.sleep(pauseMillis);
      }
      return observed;
    }
  }

  /** Misbehaves on each record, if it is its turn. */
  public static final class BadMapper extends Mapper<LongWritable, NullWritable, Text, Text> {
    private final Text task = new Text();
    private final Text observed = new Text();
    private Temper temper;

    @Override
    protected void setup(Context context) {
      temper = new Temper(context, "map");
      task.set(String.format("m-%05d", context.getTaskAttemptID().getTaskID().getId()));
    }

    @Override
    protected void map(LongWritable number, NullWritable nothing, Context context)
        throws IOException, InterruptedException {
      observed.set(temper.act());
      context.write(task, observed);
    }
  }

  /** Writes each map's records, and after them what the reduce itself has observed. */
  public static final class BadReducer extends Reducer<Text, Text, Text, Text> {
    private final Text own = new Text();
    private final Text observed = new Text();

    @Override
    protected void reduce(Text task, Iterable<Text> values, Context context)
        throws IOException, InterruptedException {
      for (Text value : values) {
        context.write(task, value);
      }
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      own.set(String.format("r-%05d", context.getTaskAttemptID().getTaskID().getId()));
      observed.set(new Temper(context, "reduce").act());
      context.write(own, observed);
    }
  }

  @Override
  public int run(String[] args) throws Exception {
    if (args.length < 2 || args.length > 3) {
      System.err.println("Usage: misbehave <kind> <output> [argument]");
      System.err.println("Kinds: " + Misdeeds.Kind.names());
      System.err.println(
          "Properties: misbehave.maps, .records, .where, .tasks, .attempts, .pause-ms");
      ToolRunner.printGenericCommandUsage(System.err);
      return 2;
    }
    Misdeeds.Kind kind = Misdeeds.Kind.of(args[0]);
    Job job = Job.getInstance(getConf(), "misbehave " + kind);
    Configuration conf = job.getConfiguration();
    conf.set(KIND, kind.toString());
    conf.set(ARGUMENT, args.length > 2 ? args[2] : "");
    job.setJarByClass(Misbehave.class);
    int maps = conf.getInt(MAPS, 2);
    RangeInputFormat.setRange(job, Math.multiplyExact(maps, conf.getLong(RECORDS, 1)), maps);
    job.setMapperClass(BadMapper.class);
    job.setReducerClass(BadReducer.class);
    job.setNumReduceTasks(1);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(Text.class);
    FileOutputFormat.setOutputPath(job, new Path(args[1]));
    return job.waitForCompletion(true) ? 0 : 1;
  }

  /** Command line: {@code misbehave <kind> <output> [argument]}. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new Configuration(), new Misbehave(), args));
  }
}
