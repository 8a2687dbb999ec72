// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.IOException;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Says whether a sort has lost, changed or misplaced a record. Prints one line with the number of
 * records, the sum of their checksums (which does not depend on their order) and the number of keys
 * smaller than the one before them in the same file.
 */
public final class SequenceCheck extends Configured implements Tool {

  /** What was seen. */
  public enum Seen {
    /** Records. */
    RECORDS,
    /** Sum of the records' CRC-32C, each over key and value as serialised; wraps at 64 bits. */
    CHECKSUM,
    /** Keys smaller than the one before. */
    UNORDERED
  }

  /** Reads one whole file. */
  public static final class CheckMapper
      extends Mapper<WritableComparable<?>, Writable, NullWritable, NullWritable> {
    private final DataOutputBuffer bytes = new DataOutputBuffer();
    private final CRC32C crc = new CRC32C();
    private byte[] previous = new byte[0];
    private int previousLength = -1;
    private long records;
    private long checksum;
    private long unordered;

    @Override
    protected void map(WritableComparable<?> key, Writable value, Context context)
        throws IOException {
      bytes.reset();
      key.write(bytes);
      int keyLength = bytes.getLength();
      if (previousLength >= 0) {
        WritableComparator order =
            WritableComparator.get(key.getClass().asSubclass(WritableComparable.class));
        if (order.compare(previous, 0, previousLength, bytes.getData(), 0, keyLength) > 0) {
          unordered++;
        }
      }
      if (previous.length < keyLength) {
        previous = new byte[keyLength * 2];
      }
      System.arraycopy(bytes.getData(), 0, previous, 0, keyLength);
      previousLength = keyLength;
      value.write(bytes);
      crc.reset();
      crc.update(bytes.getData(), 0, bytes.getLength());
      checksum += crc.getValue();
      records++;
    }

    @Override
    protected void cleanup(Context context) {
      context.getCounter(Seen.RECORDS).increment(records);
      context.getCounter(Seen.CHECKSUM).increment(checksum);
      context.getCounter(Seen.UNORDERED).increment(unordered);
    }
  }

  /** Files are not split: order is a property of a whole file. */
  public static final class WholeFiles
      extends SequenceFileInputFormat<WritableComparable<?>, Writable> {
    @Override
    protected boolean isSplitable(org.apache.hadoop.mapreduce.JobContext context, Path file) {
      return false;
    }
  }

  @Override
  public int run(String[] args) throws Exception {
    if (args.length != 1) {
      System.err.println("Usage: sequence-check <path of sequence files>");
      ToolRunner.printGenericCommandUsage(System.err);
      return 2;
    }
    Job job = Job.getInstance(getConf(), "sequence-check");
    job.setJarByClass(SequenceCheck.class);
    job.setInputFormatClass(WholeFiles.class);
    job.setMapperClass(CheckMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(NullWritable.class);
    FileInputFormat.addInputPath(job, new Path(args[0]));
    if (!job.waitForCompletion(true)) {
      return 1;
    }
    Counters counters = job.getCounters();
    System.out.println(
        "records="
            + counters.findCounter(Seen.RECORDS).getValue()
            + " checksum="
            + Long.toHexString(counters.findCounter(Seen.CHECKSUM).getValue())
            + " unordered="
            + counters.findCounter(Seen.UNORDERED).getValue());
    return 0;
  }

  /** Command line: {@code sequence-check <path>}. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new Configuration(), new SequenceCheck(), args));
  }
}
