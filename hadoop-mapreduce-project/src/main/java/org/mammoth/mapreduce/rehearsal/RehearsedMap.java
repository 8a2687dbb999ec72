// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.rehearsal;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.map.TokenCounterMapper;

/** Maps of a rehearsal. Each ends as soon as its thread is interrupted. */
final class RehearsedMap {

  private RehearsedMap() {}

  private static void checkInterrupt() throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("a rehearsal makes way");
    }
  }

  /** Counts words. */
  public static final class Words extends TokenCounterMapper {

    @Override
    public void map(Object offset, Text line, Context context)
        throws IOException, InterruptedException {
      checkInterrupt();
      super.map(offset, line, context);
    }
  }

  /** Has lines sorted by what they begin with, which no two have in common. */
  public static final class Lines extends Mapper<LongWritable, Text, Text, Text> {

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
