// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.mammoth.compat.jobs.TaskNote;

/**
 * An ordinary word list whose map and whose reduce write to the output all that they see of their
 * process. Changes nothing.
 */
public final class WitnessJob implements BiFunction<Configuration, Path, Job> {
  /** Classes of {@link Look}, with commas. */
  static final String LOOKS = "mammoth.compat.looks";

  /** Looks before its words. */
  static final class WitnessMapper extends Mapper<LongWritable, Text, Text, Text> {
    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
      TaskNote.leave(context.getConfiguration());
      look("map", context);
    }

    @Override
    protected void map(LongWritable at, Text line, Context context)
        throws IOException, InterruptedException {
      Words.map(line, context);
    }
  }

  /** Looks before its words. */
  static final class WitnessReducer extends Reducer<Text, Text, Text, Text> {
    @Override
    protected void setup(Context context) throws IOException, InterruptedException {
      TaskNote.leave(context.getConfiguration());
      look("reduce", context);
    }

    @Override
    protected void reduce(Text word, Iterable<Text> lines, Context context)
        throws IOException, InterruptedException {
      Words.reduce(word, lines, context);
    }
  }

  private static void look(String task, TaskInputOutputContext<?, ?, Text, Text> context)
      throws IOException, InterruptedException {
    Report report = new Report();
    Configuration conf = context.getConfiguration();
    LogLook.look(report);
    ProcessLook.look(report);
    JdkLook.look(report);
    NetLook.look(report);
    HadoopLook.look(report, conf);
    ClassLook.look(report);
    FileLook.look(report);
    StateLook.look(report);
    for (String more : conf.getTrimmedStrings(LOOKS)) {
      report.tellEach("more", () -> make(conf, more).look());
    }
    for (Map.Entry<String, String> line : report.lines().entrySet()) {
      context.write(new Text("see " + task + " " + line.getKey()), new Text(line.getValue()));
    }
  }

  private static Look make(Configuration conf, String type) throws ReflectiveOperationException {
    return (Look) conf.getClassByName(type).getDeclaredConstructor().newInstance();
  }

  @Override
  public Job apply(Configuration conf, Path folder) {
    try {
      return Words.job(conf, folder, WitnessMapper.class, WitnessReducer.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
