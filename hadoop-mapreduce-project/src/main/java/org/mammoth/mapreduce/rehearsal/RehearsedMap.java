// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.rehearsal;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.StringTokenizer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.Mapper;

/** Maps of a rehearsal. Each ends as soon as its thread is interrupted. */
final class RehearsedMap {

  private RehearsedMap() {}

  static void checkInterrupt() throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("a rehearsal makes way");
    }
  }

  /** Counts words. */
  public static final class Words extends Mapper<LongWritable, Text, Text, Writable> {

    private static final IntWritable ONE = new IntWritable(1);
    private final Text word = new Text();

    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      checkInterrupt();
      StringTokenizer words = new StringTokenizer(line.toString());
      while (words.hasMoreTokens()) {
        word.set(words.nextToken());
        context.write(word, ONE);
      }
    }
  }

  /** Has lines sorted by what they begin with, which no two have in common. */
  public static final class Lines extends Mapper<LongWritable, Text, Text, Writable> {

    private final Text key = new Text();

    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      checkInterrupt();
      key.set(line.getBytes(), 0, Math.min(RehearsalInput.KEY_BYTES, line.getLength()));
      context.write(key, line);
    }
  }
}
