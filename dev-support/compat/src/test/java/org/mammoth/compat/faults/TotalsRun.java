// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.awaitility.Awaitility;
import org.mammoth.compat.cluster.JobCode;

/** One run of {@code TotalsJob}, held at gates, with the answer it must give. */
final class TotalsRun {
  private static final String FACTORY = "org.mammoth.compat.jobs.TotalsJob";
  private static final String PREFIX = "mammoth.compat.totals.";
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  /**
   * How large it is.
   *
   * @param valueBytes of each record's value; a record is some 15 bytes larger
   */
  record Shape(int maps, int reduces, int records, int keys, int valueBytes) {
    long bytes() {
      return (long) maps * records * (valueBytes + 15L);
    }
  }

  private final FaultCluster cluster;
  private final Shape shape;
  private final long seed;
  private final Path notes;
  private final Job job;

  private TotalsRun(FaultCluster cluster, Shape shape, long seed, Path notes, Job job) {
    this.cluster = cluster;
    this.shape = shape;
    this.seed = seed;
    this.notes = notes;
    this.job = job;
  }

  /** Submits a job whose {@code gates} are closed, as the calling user. */
  static TotalsRun submit(
      FaultCluster cluster, Shape shape, long seed, String gates, Map<String, String> more)
      throws Exception {
    String name = "totals-" + NUMBERS.incrementAndGet();
    JobCode code = cluster.code();
    Configuration conf = code.conf(cluster.cluster().conf());
    Path notes = Files.createDirectories(cluster.cluster().home().resolve("notes").resolve(name));
    notes.toFile().setWritable(true, false);
    conf.set("mammoth.compat.notes", notes.toString());
    conf.set("mammoth.compat.gates", gates);
    conf.setInt(PREFIX + "maps", shape.maps());
    conf.setInt(PREFIX + "records", shape.records());
    conf.setInt(PREFIX + "keys", shape.keys());
    conf.setInt(PREFIX + "value-bytes", shape.valueBytes());
    conf.setLong(PREFIX + "seed", seed);
    conf.setInt("mapreduce.job.reduces", shape.reduces());
    more.forEach(conf::set);
    Job job = code.make(FACTORY, conf, new org.apache.hadoop.fs.Path("/tmp/" + name));
    code.submit(job);
    return new TotalsRun(cluster, shape, seed, notes, job);
  }

  Job job() {
    return job;
  }

  String jobId() {
    return job.getJobID().toString();
  }

  String attempt(TaskType type, int task, int number) {
    return new TaskAttemptID(new TaskID(job.getJobID(), type, task), number).toString();
  }

  /** Waits until an attempt stands before a gate; gives the attempt. */
  String reached(String gate) {
    Path note = notes.resolve(gate + ".reached");
    Awaitility.await(gate)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> (Files.exists(note) && Files.size(note) > 0) || job.isComplete());
    try {
      return Files.readString(note);
    } catch (IOException e) {
      throw new AssertionError("the job ended before " + gate + " was reached", e);
    }
  }

  void open(String gate) throws IOException {
    Files.writeString(notes.resolve(gate + ".open"), "");
  }

  /** Waits until so many maps have succeeded at some time. */
  void mapsDone(int count) {
    Awaitility.await(count + " maps")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () ->
                Arrays.stream(job.getTaskCompletionEvents(0, 1000))
                        .filter(
                            event ->
                                event.isMapTask()
                                    && event.getStatus() == TaskCompletionEvent.Status.SUCCEEDED)
                        .count()
                    >= count);
  }

  /** Waits for its end; true if it succeeded. */
  boolean succeeds() throws Exception {
    Awaitility.await(job.getJobName())
        .atMost(Duration.ofMinutes(4))
        .pollInterval(Duration.ofMillis(100))
        .until(job::isComplete);
    return job.isSuccessful();
  }

  /** What the job and all its failed attempts said. */
  String diagnostics() throws Exception {
    StringBuilder text = new StringBuilder(String.valueOf(job.getStatus().getFailureInfo()));
    for (TaskCompletionEvent event : job.getTaskCompletionEvents(0, 1000)) {
      if (event.getStatus() != TaskCompletionEvent.Status.SUCCEEDED) {
        text.append('\n').append(event.getTaskAttemptId()).append(' ').append(event.getStatus());
        for (String line : job.getTaskDiagnostics(event.getTaskAttemptId())) {
          text.append(": ").append(line);
        }
      }
    }
    return text.toString();
  }

  /** How many logs of its tasks, on any node, have a line with {@code text}. */
  long logged(String text) throws IOException {
    String folder = jobId().replace("job_", "application_");
    long found = 0;
    String logs = ".*/" + folder + "/.*/syslog(\\.shuffle)?";
    for (Path log : FaultyWire.files(cluster.cluster().home(), logs)) {
      found += Files.readString(log).contains(text) ? 1 : 0;
    }
    return found;
  }

  long counter(Enum<?> counter) throws IOException {
    return job.getCounters().findCounter(counter).getValue();
  }

  /** The segments that came in one of our own ways. */
  String ways() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String way :
        new String[] {
          "NODE_SEGMENTS", "PUSHED_SEGMENTS", "PULLED_SEGMENTS", "LEVITATED_SEGMENTS"
        }) {
      text.append(way, 0, way.indexOf('_')).append(' ').append(way(way)).append(' ');
    }
    return text.toString().trim();
  }

  long way(String name) throws IOException {
    return job.getCounters()
        .findCounter("org.mammoth.mapreduce.MammothShuffleCounter", name)
        .getValue();
  }

  /** The job has succeeded and its output is what the numbers say. */
  void assertRight() throws Exception {
    assertThat(succeeds()).as("%s", diagnostics()).isTrue();
    assertThat(output()).isEqualTo(expected(shape, seed));
  }

  private Map<String, String> output() throws IOException {
    Map<String, String> all = new TreeMap<>();
    FileSystem fs = FileSystem.get(cluster.cluster().conf());
    org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path("/tmp", notesName());
    for (FileStatus file : fs.listStatus(folder)) {
      if (!file.getPath().getName().startsWith("part-")) {
        continue;
      }
      String previous = "";
      try (var in = fs.open(file.getPath())) {
        for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
          int tab = line.indexOf('\t');
          String key = line.substring(0, tab);
          assertThat(key).isGreaterThan(previous);
          previous = key;
          assertThat(all.put(key, line.substring(tab + 1))).as("twice: %s", key).isNull();
        }
      }
    }
    return all;
  }

  private String notesName() {
    return notes.getFileName().toString();
  }

  private static Map<String, String> expected(Shape shape, long seed) {
    Map<String, long[]> totals = new TreeMap<>();
    for (int map = 0; map < shape.maps(); map++) {
      SplittableRandom random = new SplittableRandom(seed + map);
      for (int record = 0; record < shape.records(); record++) {
        long[] total =
            totals.computeIfAbsent("key" + random.nextInt(shape.keys()), k -> new long[2]);
        total[0]++;
        total[1] += random.nextLong();
      }
    }
    Map<String, String> lines = new TreeMap<>();
    totals.forEach((key, total) -> lines.put(key, total[0] + " " + total[1]));
    return lines;
  }
}
