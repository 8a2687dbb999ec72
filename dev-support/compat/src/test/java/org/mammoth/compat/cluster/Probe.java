// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.mammoth.compat.diff.Notes;

/** A job whose maps do what the test says, line by line, and answer. Runs as the calling user. */
public final class Probe {
  private static final String FACTORY = "org.mammoth.compat.jobs.ProbeJob";

  private final MiniCluster cluster;
  private final Path folder;
  private final java.nio.file.Path notes;
  private final Configuration conf;
  private final JobCode code;
  private Job job;

  private Probe(MiniCluster cluster, JobCode code, Path folder) throws IOException {
    this.cluster = cluster;
    this.folder = folder;
    this.code = code;
    conf = code.conf(cluster.conf());
    notes = Files.createDirectories(cluster.home().resolve("notes" + folder));
    conf.set("mammoth.compat.notes", notes.toString());
  }

  /**
   * Writes the input and does not submit yet.
   *
   * @param maps for each map what it is to do
   */
  public static Probe of(MiniCluster cluster, JobCode code, String name, List<List<String>> maps)
      throws IOException {
    return of(cluster, code, FACTORY, name, maps);
  }

  /** The same with another job of the jar, which reads a file of lines in each map. */
  public static Probe of(
      MiniCluster cluster, JobCode code, String factory, String name, List<List<String>> maps)
      throws IOException {
    Path folder = new Path("/probe/" + name);
    Probe probe = new Probe(cluster, code, folder);
    FileSystem fs = FileSystem.get(cluster.conf());
    fs.delete(folder, true);
    for (int map = 0; map < maps.size(); map++) {
      try (OutputStream out = fs.create(new Path(folder, "input/map-" + map))) {
        out.write((String.join("\n", maps.get(map)) + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    try {
      probe.job = code.make(factory, probe.conf, folder);
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
    return probe;
  }

  /** The job, for settings before {@link #submit}. */
  public Job job() {
    return job;
  }

  /** Submits the job. */
  public Probe submit() throws IOException, InterruptedException, ClassNotFoundException {
    code.submit(job);
    return this;
  }

  /** Waits for the job's end; true if it succeeded. */
  public boolean await() throws IOException, InterruptedException, ClassNotFoundException {
    return job.waitForCompletion(false);
  }

  /** What the maps answered: line to answers. */
  public Map<String, List<String>> answers() throws IOException {
    Map<String, List<String>> answers = new TreeMap<>();
    FileSystem fs = FileSystem.get(cluster.conf());
    for (FileStatus file : fs.listStatus(new Path(folder, "output"))) {
      try (FSDataInputStream in = fs.open(file.getPath())) {
        for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
          int tab = line.indexOf('\t');
          if (tab >= 0) {
            answers
                .computeIfAbsent(line.substring(0, tab), l -> new ArrayList<>())
                .add(line.substring(tab + 1));
          }
        }
      }
    }
    return answers;
  }

  /** The application that is the job. */
  public ApplicationId application() {
    return TypeConverter.toYarn(job.getJobID()).getAppId();
  }

  /** Where the tasks ran. */
  public Notes notes() throws IOException {
    return Notes.read(notes);
  }

  /** A counter of the scheduler. */
  public long count(JobCounter counter) throws IOException {
    return job.getCounters().findCounter(counter).getValue();
  }

  /** What the job's attempts that failed told of it: one text each, without the attempt's name. */
  public List<String> failures() throws IOException, InterruptedException {
    List<String> failures = new ArrayList<>();
    for (TaskCompletionEvent event : job.getTaskCompletionEvents(0, Integer.MAX_VALUE)) {
      if (event.getStatus() == TaskCompletionEvent.Status.FAILED
          || event.getStatus() == TaskCompletionEvent.Status.TIPFAILED) {
        failures.add(String.join("\n", job.getTaskDiagnostics(event.getTaskAttemptId())));
      }
    }
    return failures;
  }

  /** How many tasks fell back to ordinary containers. */
  public long fallbacks() throws IOException {
    return job.getCounters()
        .findCounter("org.mammoth.mapreduce.MammothCounter", "ENGINE_FALLBACKS")
        .getValue();
  }
}
