// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.libraries;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** Each map runs the probes that its lines name and writes what they answer, or the error. */
public final class LibrariesJob extends Configured implements Tool {

  /** Arguments: INPUT, a file of names of probes, and OUTPUT. With --names: prints all names. */
  public static void main(String[] args) throws Exception {
    if (args[0].equals("--names")) {
      probes().keySet().forEach(System.out::println);
      return;
    }
    System.exit(ToolRunner.run(new LibrariesJob(), args));
  }

  static Map<String, Probe> probes() {
    Map<String, Probe> probes = new TreeMap<>();
    DataProbes.add(probes);
    CodeProbes.add(probes);
    StoreProbes.add(probes);
    NetProbes.add(probes);
    TextProbes.add(probes);
    return probes;
  }

  @Override
  public int run(String[] args) throws Exception {
    Job job = Job.getInstance(getConf(), "libraries");
    job.setJarByClass(LibrariesJob.class);
    job.setMapperClass(Probes.class);
    job.setNumReduceTasks(0);
    job.setInputFormatClass(NLineInputFormat.class);
    NLineInputFormat.addInputPath(job, new Path(args[0]));
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(NullWritable.class);
    FileOutputFormat.setOutputPath(job, new Path(args[1]));
    return job.waitForCompletion(true) ? 0 : 1;
  }

  /** Runs probes by name. */
  public static final class Probes extends Mapper<LongWritable, Text, Text, NullWritable> {
    private Map<String, Probe> probes;

    @Override
    protected void setup(Context context) {
      probes = probes();
    }

    @Override
    protected void map(LongWritable offset, Text name, Context context)
        throws IOException, InterruptedException {
      context.progress();
      context.write(new Text(name + "\t" + answer(name.toString())), NullWritable.get());
    }

    private String answer(String name) {
      try {
        return String.valueOf(probes.get(name).run()).replace('\n', ' ');
      } catch (ThreadDeath e) {
        throw e;
      } catch (Throwable e) { // what a library throws is its answer
        e.printStackTrace();
        StringBuilder told = new StringBuilder("threw");
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
          told.append(' ')
              .append(cause.getClass().getName())
              .append(": ")
              .append(cause.getMessage())
              .append(';');
        }
        return told.toString().replace('\n', ' ');
      }
    }
  }
}
