// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;

/**
 * A job of one map that does what a test says while it runs: test and task speak through files of a
 * local folder, {@code N.order} and {@code N.answer}, until the order is {@code end}. An attempt
 * that follows one that was killed goes on with the first order that has no answer.
 */
public final class FilesJob implements BiFunction<Configuration, Path, Job> {
  private static final int POLL_MS = 5;
  private static final long LONGEST_MS = 480_000;

  /** Carries out orders. */
  public static final class Orders extends Mapper<LongWritable, Text, Text, Text> {

    @Override
    protected void map(LongWritable offset, Text line, Context context)
        throws IOException, InterruptedException {
      java.nio.file.Path folder =
          java.nio.file.Path.of(context.getConfiguration().get(TaskNote.FOLDER));
      FileSystem fs = FileSystem.get(context.getConfiguration());
      FileOrders orders = new FileOrders();
      String order = "";
      for (int number = 0; !order.equals("end"); number++) {
        java.nio.file.Path answer = folder.resolve(number + ".answer");
        order = Files.exists(answer) ? "" : await(folder.resolve(number + ".order"), context);
        if (!order.isEmpty() && !order.equals("end")) {
          java.nio.file.Path made = folder.resolve(number + ".made");
          Files.writeString(made, orders.apply(fs, order), StandardCharsets.UTF_8);
          Files.move(made, answer, StandardCopyOption.ATOMIC_MOVE);
        }
      }
    }

    private static String await(java.nio.file.Path file, Context context)
        throws IOException, InterruptedException {
      for (long waited = 0; waited < LONGEST_MS; waited += POLL_MS) {
        if (Files.exists(file)) {
          return Files.readString(file, StandardCharsets.UTF_8);
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MS);
        context.progress();
      }
      return "end";
    }
  }

  @Override
  public Job apply(Configuration base, Path folder) {
    try {
      Job job = Job.getInstance(base, "files " + folder);
      job.setMapperClass(Orders.class);
      job.setNumReduceTasks(0);
      job.setOutputFormatClass(NullOutputFormat.class);
      job.setSpeculativeExecution(false);
      FileInputFormat.addInputPath(job, new Path(folder, "input"));
      return job;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
