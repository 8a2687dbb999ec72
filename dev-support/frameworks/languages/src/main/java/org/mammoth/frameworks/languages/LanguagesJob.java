// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.languages;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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

/**
 * Each map runs a program in the language that its line names, twice, and writes its answers: the
 * program says what it finds of the process, and changes it.
 */
public final class LanguagesJob extends Configured implements Tool {

  /** Arguments: INPUT, a file of names of languages, and OUTPUT. With --names: prints all names. */
  public static void main(String[] args) throws Exception {
    if (args[0].equals("--names")) {
      Languages.all().keySet().forEach(System.out::println);
      return;
    }
    System.exit(ToolRunner.run(new LanguagesJob(), args));
  }

  @Override
  public int run(String[] args) throws Exception {
    Job job = Job.getInstance(getConf(), "languages");
    job.setJarByClass(LanguagesJob.class);
    job.setMapperClass(Speaks.class);
    job.setNumReduceTasks(0);
    job.setInputFormatClass(NLineInputFormat.class);
    NLineInputFormat.addInputPath(job, new Path(args[0]));
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(NullWritable.class);
    FileOutputFormat.setOutputPath(job, new Path(args[1]));
    return job.waitForCompletion(true) ? 0 : 1;
  }

  /** Runs programs. */
  public static final class Speaks extends Mapper<LongWritable, Text, Text, NullWritable> {

    @Override
    protected void map(LongWritable offset, Text name, Context context)
        throws IOException, InterruptedException {
      Languages.Language language = Languages.all().get(name.toString());
      String program = program(language.program());
      for (int time = 0; time < 2; time++) {
        context.progress();
        String answer = answer(language.speaker(), program);
        context.write(new Text(name + "\t" + time + "\t" + answer), NullWritable.get());
      }
    }

    private static String program(String name) throws IOException {
      try (InputStream in = Speaks.class.getResourceAsStream("/scripts/" + name + ".txt")) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }

    private static String answer(Speaker speaker, String program) {
      try {
        return String.valueOf(speaker.speak(program)).replace('\n', ' ');
      } catch (ThreadDeath e) {
        throw e;
      } catch (Throwable e) { // what a language throws is its answer
        e.printStackTrace();
        return ("threw " + e).replace('\n', ' ');
      }
    }
  }
}
