// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.natives;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.StringTokenizer;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** Counts words in maps and again in reduces, each by what a native library keeps. */
public final class NativeWords extends Configured implements Tool {
  private static final String LIBRARY = "frameworks.natives.library";

  /** Arguments: LIBRARY, INPUT and OUTPUT. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new NativeWords(), args));
  }

  @Override
  public int run(String[] args) throws Exception {
    if (args.length != 3) {
      System.err.println("Usage: NativeWords LIBRARY INPUT OUTPUT");
      return 2;
    }
    getConf().set(LIBRARY, args[0]);
    Job job = Job.getInstance(getConf(), "native words " + args[0]);
    job.setJarByClass(NativeWords.class);
    job.setMapperClass(Words.class);
    job.setReducerClass(Counts.class);
    job.setOutputKeyClass(Text.class);
    job.setMapOutputValueClass(LongWritable.class);
    job.setOutputValueClass(Text.class);
    FileInputFormat.addInputPath(job, new Path(args[1]));
    FileOutputFormat.setOutputPath(job, new Path(args[2]));
    return job.waitForCompletion(true) ? 0 : 1;
  }

  /** Words with their counts within the map. */
  public static final class Words extends Mapper<LongWritable, Text, Text, LongWritable> {
    private final Map<String, Long> counts = new HashMap<>();
    private Keeper keeper;

    @Override
    protected void setup(Context context) throws IOException {
      keeper = open(context.getConfiguration().get(LIBRARY));
    }

    @Override
    protected void map(LongWritable key, Text line, Context context) throws IOException {
      StringTokenizer words = new StringTokenizer(line.toString());
      while (words.hasMoreTokens()) {
        String word = words.nextToken();
        counts.put(word, add(keeper, word));
      }
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      for (Map.Entry<String, Long> word : counts.entrySet()) {
        context.write(new Text(word.getKey()), new LongWritable(word.getValue()));
      }
      close(keeper);
    }
  }

  /** Sums, and how many words the reduce has seen that begin as this one. */
  public static final class Counts extends Reducer<Text, LongWritable, Text, Text> {
    private Keeper keeper;

    @Override
    protected void setup(Context context) throws IOException {
      keeper = open(context.getConfiguration().get(LIBRARY));
    }

    @Override
    protected void reduce(Text word, Iterable<LongWritable> counts, Context context)
        throws IOException, InterruptedException {
      long sum = 0;
      for (LongWritable count : counts) {
        sum += count.get();
      }
      long alike = add(keeper, word.toString().substring(0, 1));
      context.write(word, new Text(sum + "\t" + alike));
    }

    @Override
    protected void cleanup(Context context) throws IOException {
      close(keeper);
    }
  }

  private static Keeper open(String library) throws IOException {
    try {
      return Keeper.of(library);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("cannot open " + library, e);
    }
  }

  private static long add(Keeper keeper, String word) throws IOException {
    try {
      return keeper.add(word);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("cannot keep " + word, e);
    }
  }

  private static void close(Keeper keeper) throws IOException {
    try {
      keeper.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("cannot close", e);
    }
  }
}
