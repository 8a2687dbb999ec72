// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.mammoth.compat.cluster.JobCode;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.diff.JobCounts;
import org.mammoth.compat.diff.Notes;
import org.mammoth.compat.diff.PartJars;
import org.mammoth.compat.settings.UpstreamSettings.Setting;

/** One random job with settings, on one side, and all that a user sees of its end. */
final class SettingsRun {

  private static final String FACTORY = "org.mammoth.compat.jobs.RandomJob";

  /** How a job ended of which nothing more is known. */
  static final String FAILED = "failed";

  /** How long nothing may move in a job that is not hung, on an idle machine. */
  static final Duration STILL = Duration.ofSeconds(150);

  private static final long STEP = 1_000_003;

  private static final Set<String> LARGE =
      Set.of("size-BIG", "huge", "any-order", "input-N_LINE", "input-MULTIPLE");

  /**
   * What became of it.
   *
   * @param settings what it was given
   * @param end how it ended, with what its client and its attempts said, numbers left out
   * @param output where its files are
   * @param logs what the logs of its containers are called, and which are empty
   * @param outside tasks that ran in a process of their own
   * @param counts null if the job has none
   */
  record Outcome(
      List<Setting> settings,
      List<String> end,
      Configuration conf,
      Path output,
      JobCounts counts,
      List<String> logs,
      int outside) {

    boolean isGood() {
      return SettingsRun.isGood(end);
    }

    /** Whether both ended alike, as far as it is known. */
    boolean endsAs(Outcome other) {
      boolean known = !end.get(0).equals(FAILED) && !other.end.get(0).equals(FAILED);
      return known
          ? end.equals(other.end)
          : end.get(0).startsWith(FAILED) && other.end.get(0).startsWith(FAILED);
    }
  }

  private final MiniCluster cluster;
  private final PartJars jars;
  private final String folder;

  /**
   * Runs on a cluster.
   *
   * @param folder of its file system, for all inputs and outputs
   */
  SettingsRun(MiniCluster cluster, PartJars jars, String folder) {
    this.cluster = cluster;
    this.folder = folder;
    this.jars = jars;
  }

  private static boolean isGood(List<String> end) {
    return end.get(0).equals("succeeded");
  }

  /** What a job is given, once it is known which job. */
  interface Given {
    List<Setting> to(Configuration job);
  }

  /** The first seed from this one on whose job has few tasks: a process each takes long. */
  long smallFrom(long seed) throws ReflectiveOperationException {
    JobCode code = jars.with(List.of());
    for (long each = seed; ; each += STEP) {
      Job job = code.make(FACTORY, conf(code, each), new Path(folder, "looked-at/" + each));
      List<String> features = List.of(job.getConfiguration().getStrings("mammoth.compat.features"));
      if (features.stream().noneMatch(LARGE::contains)) {
        return each;
      }
    }
  }

  private Configuration conf(JobCode code, long seed) {
    Configuration conf = code.conf(cluster.conf());
    conf.setLong("mammoth.compat.seed", seed);
    conf.set("mammoth.compat.output", "none");
    // Reduces that were started early are killed for the sake of maps, and counted.
    conf.set(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, "1.0");
    return conf;
  }

  /**
   * Runs it.
   *
   * @param still how long nothing may move before it counts as hung, and is killed
   */
  Outcome run(long seed, Given given, boolean engine, String name, Duration still)
      throws IOException, InterruptedException {
    java.nio.file.Path notes = cluster.home().resolve("notes").resolve("settings-" + name);
    Files.createDirectories(notes);
    JobCode code = jars.with(PartJars.of(seed));
    Configuration conf = conf(code, seed);
    conf.setStrings("mammoth.compat.parts", PartJars.of(seed).toArray(new String[0]));
    conf.set("mammoth.compat.output", name);
    conf.set("mammoth.compat.notes", notes.toString());
    conf.setBoolean("mammoth.engine.enabled", engine);
    Path own = new Path(folder, String.valueOf(seed));
    List<String> end = new ArrayList<>();
    List<Setting> settings = List.of();
    Job job;
    try {
      job = code.make(FACTORY, conf, own);
      settings = given.to(job.getConfiguration());
      settings.forEach(setting -> job.getConfiguration().set(setting.key(), setting.value()));
      code.submit(job);
    } catch (Exception e) {
      end.add("refused: " + plain(e.toString()));
      return new Outcome(settings, end, conf, null, null, List.of(), 0);
    }
    try {
      await(job, end, still);
    } catch (IOException e) {
      // Its client asks between its ApplicationMaster's end and its history's arrival.
      end.clear();
      end.add(FAILED);
    }
    ApplicationId application = TypeConverter.toYarn(job.getJobID()).getAppId();
    Counters counters = isGood(end) ? job.getCounters() : null;
    return new Outcome(
        settings,
        end,
        job.getConfiguration(),
        new Path(own, name),
        counters == null ? null : JobCounts.of(cluster, application, counters),
        logs(application),
        Notes.read(notes).ordinary().size());
  }

  private static void await(Job job, List<String> end, Duration still)
      throws IOException, InterruptedException {
    long moved = System.nanoTime();
    String seen = "";
    boolean killed = false;
    while (!job.isComplete()) {
      String now = standing(job.getStatus());
      if (!now.equals(seen)) {
        seen = now;
        moved = System.nanoTime();
      } else if (!killed && System.nanoTime() - moved > still.toNanos()) {
        job.killJob();
        killed = true;
      }
      Thread.sleep(100);
    }
    if (killed) {
      end.add("hung");
    } else if (job.isSuccessful()) {
      end.add("succeeded");
    } else {
      end.add(FAILED + ": " + plain(job.getStatus().getFailureInfo()));
    }
    TreeMap<String, Integer> attempts = new TreeMap<>();
    for (TaskCompletionEvent event : events(job)) {
      String said = event.getStatus() + (event.isMapTask() ? " map" : " reduce");
      if (event.getStatus() != TaskCompletionEvent.Status.SUCCEEDED) {
        String[] why = job.getTaskDiagnostics(event.getTaskAttemptId());
        said += ": " + plain(String.join(" ", why));
      }
      attempts.merge(said, 1, Integer::sum);
    }
    // How far the others are when a job fails is a matter of time.
    attempts.forEach(
        (said, times) -> {
          if (isGood(end)) {
            end.add(times + " " + said);
          } else if (said.contains("FAILED ")) {
            end.add(said);
          }
        });
  }

  /** What changes as long as a job gets on, however slow its machine is. */
  private static String standing(JobStatus status) {
    return status.getState()
        + " "
        + status.getMapProgress()
        + " "
        + status.getReduceProgress()
        + " "
        + status.getNumUsedSlots();
  }

  private static List<TaskCompletionEvent> events(Job job)
      throws IOException, InterruptedException {
    List<TaskCompletionEvent> all = new ArrayList<>();
    while (true) {
      List<TaskCompletionEvent> some = List.of(job.getTaskCompletionEvents(all.size(), 100));
      if (some.isEmpty()) {
        return all;
      }
      all.addAll(some);
    }
  }

  /** Without what differs from one run to the next. */
  private static String plain(String text) {
    return String.valueOf(text)
        .replaceAll("(?m)^\\s+(at |\\.\\.\\. ).*\\R?", "")
        // Classes of a job have a loader of their own.
        .replaceAll(" \\([^)]* in unnamed module[^)]*\\)", "")
        // Of an ApplicationMaster that ended: what its JVM's libraries say there, a host has said.
        .replaceAll("(?s)Last \\d+ bytes of stderr :.*?(\\R\\R|$)", "")
        .replaceAll("(attempt|task|job|application|container)_[0-9_mre]+", "$1")
        .replaceAll("[a-z]*settings-?/?[0-9A-Za-z/_-]*", "F")
        .replaceAll("\\d+", "N");
  }

  /** Whether it holds more than log4j's word on what a process logs once its log is closed. */
  private static boolean says(java.nio.file.Path file) throws IOException {
    return Files.size(file) > 0 && !Files.readString(file).startsWith("log4j:WARN No appenders");
  }

  /** What the folders of an application's containers hold: the names, and which are empty. */
  private List<String> logs(ApplicationId application) throws IOException {
    java.nio.file.Path folder = cluster.home().resolve("logs").resolve(application.toString());
    List<String> containers = new ArrayList<>();
    try (Stream<java.nio.file.Path> each = Files.list(folder)) {
      for (java.nio.file.Path container : each.toList()) {
        List<String> files = new ArrayList<>();
        // What libraries say on its standard error as they start, a host has said before.
        boolean isMaster = container.toString().endsWith("_000001");
        try (Stream<java.nio.file.Path> all = Files.list(container)) {
          for (java.nio.file.Path file : all.sorted().toList()) {
            files.add(file.getFileName() + (isMaster || says(file) ? "" : " (empty)"));
          }
        }
        containers.add(String.join(", ", files));
      }
    }
    return containers.stream().sorted().toList();
  }
}
