// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.mammoth.compat.jobs.Gate;
import org.mammoth.compat.jobs.TaskNote;

/**
 * A word list whose tasks commit deeds on the side: those of {@link #DEEDS}, in order, where {@link
 * #WHERE} says. Writes to the output what each deed saw of itself.
 *
 * <p>After its deeds a task stops at the gate {@code committed}, so that another job can run beside
 * it.
 */
public final class HostileJob implements BiFunction<Configuration, Path, Job> {
  /** Class names with commas. */
  static final String DEEDS = "mammoth.compat.deeds";

  /** Moments with commas: {@code map}, {@code mapped}, {@code reduce}, {@code reduced}. */
  static final String WHERE = "mammoth.compat.deeds.where";

  /** Whether each map commits one deed only, the one of its number, and a map is made for each. */
  static final String EACH = "mammoth.compat.deeds.each";

  /** Whether the deeds' classes are those of a loader that the task makes, as of plugins. */
  static final String MADE = "mammoth.compat.deeds.made";

  /** Before its words, {@code map}, or after them, {@code mapped}. */
  static final class HostileMapper extends Mapper<LongWritable, Text, Text, Text> {
    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
      TaskNote.leave(context.getConfiguration());
      commit("map", context);
      new Gate(context).pass("committed");
    }

    @Override
    protected void map(LongWritable at, Text line, Context context)
        throws IOException, InterruptedException {
      Words.map(line, context);
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      commit("mapped", context);
    }
  }

  /** Before its words, {@code reduce}, or after them, {@code reduced}. */
  static final class HostileReducer extends Reducer<Text, Text, Text, Text> {
    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
      TaskNote.leave(context.getConfiguration());
      commit("reduce", context);
    }

    @Override
    protected void reduce(Text word, Iterable<Text> lines, Context context)
        throws IOException, InterruptedException {
      Words.reduce(word, lines, context);
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      commit("reduced", context);
    }
  }

  private static void commit(String moment, TaskInputOutputContext<?, ?, Text, Text> context)
      throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    if (!conf.getTrimmedStringCollection(WHERE).contains(moment)) {
      return;
    }
    for (String deed : deeds(conf, context)) {
      String name = moment + " " + deed.substring(deed.lastIndexOf('.') + 1);
      context.write(new Text(name), new Text(Report.oneLine(commit(deed, conf, context))));
    }
  }

  private static String[] deeds(Configuration conf, TaskInputOutputContext<?, ?, ?, ?> context) {
    String[] all = conf.getTrimmedStrings(DEEDS);
    return conf.getBoolean(EACH, false)
        ? new String[] {all[context.getTaskAttemptID().getTaskID().getId()]}
        : all;
  }

  private static String commit(
      String deed, Configuration conf, TaskInputOutputContext<?, ?, Text, Text> context) {
    try {
      Class<?> type =
          conf.getBoolean(MADE, false)
              ? new DeedLoader(HostileJob.class.getClassLoader()).loadClass(deed)
              : conf.getClassByName(deed);
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      return ((Deed) constructor.newInstance()).commit(context);
    } catch (Exception | LinkageError | AssertionError e) {
      return Report.failure(e);
    }
  }

  @Override
  public Job apply(Configuration conf, Path folder) {
    try {
      Job job = Words.job(conf, folder, HostileMapper.class, HostileReducer.class);
      if (conf.getBoolean(EACH, false)) {
        job.setInputFormatClass(NLineInputFormat.class);
      }
      return job;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
