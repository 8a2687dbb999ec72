// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Writes random text as a map-only job: lines of 4 to 19 words drawn from {@link Vocabulary}. The
 * text is made in chunks, each from the seed and its own number, so that the same size and seed
 * give the same text whatever the number of maps. The size is met within one line per chunk.
 */
public final class RandomText extends Configured implements Tool {
  static final String SEED = "randomtext.seed";
  static final String BYTES = "randomtext.bytes";
  static final long CHUNK_BYTES = 1 << 20;

  /** What a run has written, so that a word count of it can be checked. */
  public enum Written {
    /** Words in all lines. */
    WORDS,
    /** Lines. */
    LINES,
    /** Bytes with line ends. */
    TEXT_BYTES
  }

  /** Writes one chunk per input number. */
  public static final class ChunkMapper
      extends Mapper<LongWritable, NullWritable, NullWritable, Text> {
    private final Text line = new Text();
    private Vocabulary vocabulary;
    private long seed;
    private long bytes;

    @Override
    protected void setup(Context context) {
      vocabulary = new Vocabulary(Vocabulary.DEFAULT_SIZE);
      seed = context.getConfiguration().getLong(SEED, 0);
      bytes = context.getConfiguration().getLong(BYTES, 0);
    }

    @Override
    protected void map(LongWritable chunk, NullWritable nothing, Context context)
        throws IOException, InterruptedException {
      SplittableRandom random = new SplittableRandom(Seeds.of(seed, chunk.get()));
      long share = Math.min(CHUNK_BYTES, bytes - chunk.get() * CHUNK_BYTES);
      long written = 0;
      long words = 0;
      long lines = 0;
      while (written < share) {
        int inLine = 4 + random.nextInt(16);
        line.clear();
        for (int i = 0; i < inLine; i++) {
          if (i > 0) {
            line.append(SPACE, 0, 1);
          }
          byte[] word = vocabulary.word(vocabulary.draw(random));
          line.append(word, 0, word.length);
        }
        context.write(NullWritable.get(), line);
        written += line.getLength() + 1;
        words += inLine;
        lines++;
      }
      context.getCounter(Written.WORDS).increment(words);
      context.getCounter(Written.LINES).increment(lines);
      context.getCounter(Written.TEXT_BYTES).increment(written);
    }

    private static final byte[] SPACE = {' '};
  }

  @Override
  public int run(String[] args) throws Exception {
    if (args.length < 2 || args.length > 4) {
      System.err.println("Usage: randomtext <output> <bytes, as in 200m> [maps] [seed]");
      ToolRunner.printGenericCommandUsage(System.err);
      return 2;
    }
    long bytes = Arguments.size(args[1]);
    int maps = (int) Arguments.number(args, 2, "maps", Arguments.mapsFor(bytes), 1);
    long seed = Arguments.number(args, 3, "seed", 1, Long.MIN_VALUE);

    Job job = Job.getInstance(getConf(), "randomtext");
    job.setJarByClass(RandomText.class);
    job.getConfiguration().setLong(SEED, seed);
    job.getConfiguration().setLong(BYTES, bytes);
    RangeInputFormat.setRange(job, (bytes + CHUNK_BYTES - 1) / CHUNK_BYTES, maps);
    job.setMapperClass(ChunkMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(Text.class);
    job.setOutputFormatClass(TextOutputFormat.class);
    FileOutputFormat.setOutputPath(job, new Path(args[0]));
    return job.waitForCompletion(true) ? 0 : 1;
  }

  /** Command line: {@code randomtext <output> <bytes> [maps] [seed]}. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new Configuration(), new RandomText(), args));
  }
}
