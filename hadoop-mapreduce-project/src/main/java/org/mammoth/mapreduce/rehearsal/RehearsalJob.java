// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.rehearsal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.ReduceTask;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;

/**
 * One job of a rehearsal: two maps and two reduces over some text in local files. Every other one
 * counts words with a combiner, the rest sort lines. Between them they use the types of record that
 * most jobs have, and no others: what a JVM compiles is the better the fewer it has seen.
 */
public final class RehearsalJob {

  private static final int MAPS = 2;
  private static final int REDUCES = 2;
  private static final int SECRET_BYTES = 20;

  private final Path folder;
  private final JobID id;
  private final boolean counts;
  private final byte[] secret = new byte[SECRET_BYTES];
  private final RehearsalInput input;
  private final RehearsalMaster master = new RehearsalMaster();

  /**
   * Writes what it reads.
   *
   * @param folder empty, for whatever it writes; absolute
   * @param number from 1
   */
  public RehearsalJob(Path folder, int number) throws IOException {
    this.folder = Files.createDirectories(folder);
    // The engine serves its map output to whoever knows it, as it does any job's.
    new SecureRandom().nextBytes(secret);
    this.id = new JobID("0", number);
    this.counts = number % 2 == 1;
    this.input = new RehearsalInput(folder);
  }

  /** As in the names of its attempts. */
  public String id() {
    return id.toString();
  }

  /** Of its shuffle. */
  public byte[] secret() {
    return secret.clone();
  }

  /** Where its map output goes; one folder, as it is little. */
  public Path localDir() {
    return folder.resolve("local");
  }

  /** Its attempts, in the order in which they can run one after the other. */
  public List<TaskAttemptID> attempts() {
    List<TaskAttemptID> all = new ArrayList<>();
    for (int map = 0; map < MAPS; map++) {
      all.add(attempt(TaskType.MAP, map));
    }
    for (int reduce = 0; reduce < REDUCES; reduce++) {
      all.add(attempt(TaskType.REDUCE, reduce));
    }
    return all;
  }

  private TaskAttemptID attempt(TaskType type, int number) {
    return new TaskAttemptID(id.getJtIdentifier(), id.getId(), type, number, 0);
  }

  /**
   * Its configuration: that of the node, but for what would have it leave the node, and for what an
   * administrator has said about jobs.
   *
   * @param node the engine's
   */
  public JobConf configuration(Configuration node) throws IOException {
    JobConf base = new JobConf(node);
    base.set(FileSystem.FS_DEFAULT_NAME_KEY, "file:///");
    base.setBoolean(MRJobConfig.MAP_OUTPUT_COMPRESS, false);
    base.setBoolean(MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA, false);
    base.setNumMapTasks(MAPS);
    Job job = Job.getInstance(base, "rehearsal");
    job.setNumReduceTasks(REDUCES);
    job.setMapOutputKeyClass(Text.class);
    job.setOutputKeyClass(Text.class);
    if (counts) {
      job.setMapperClass(RehearsedMap.Words.class);
      job.setCombinerClass(IntSumReducer.class);
      job.setReducerClass(IntSumReducer.class);
      job.setMapOutputValueClass(IntWritable.class);
      job.setOutputValueClass(IntWritable.class);
    } else {
      job.setMapperClass(RehearsedMap.Lines.class);
      job.setReducerClass(Reducer.class);
      job.setMapOutputValueClass(Text.class);
      job.setOutputValueClass(Text.class);
    }
    FileOutputFormat.setOutputPath(
        job, new org.apache.hadoop.fs.Path(folder.resolve("output").toUri()));
    JobConf conf = (JobConf) job.getConfiguration();
    conf.setUseNewMapper(true);
    conf.setUseNewReducer(true);
    return conf;
  }

  /** Upstream's task of one of its attempts. */
  public Task task(TaskAttemptID attempt) {
    int number = attempt.getTaskID().getId();
    return attempt.getTaskType() == TaskType.MAP
        ? new MapTask("", attempt, number, input.index(), 1)
        : new ReduceTask("", attempt, number, MAPS, 1);
  }

  /** Who answers its tasks. */
  public TaskUmbilicalProtocol master() {
    return master.protocol();
  }
}
