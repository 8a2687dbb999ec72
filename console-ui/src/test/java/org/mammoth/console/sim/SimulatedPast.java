// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.sim;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Jobs of the past: programs that run again and again, on stock at first and in engines later, some
 * of which fall back, fail, or leave no evidence. The ResourceManager has forgotten those of more
 * than a day ago, the history server has them all until it is told to forget.
 */
public final class SimulatedPast {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long DAY = 86_400_000L;
  private static final String ID = "job_1700000000000_";

  /** First number of these jobs; those with lower ones are SimulatedJobs'. */
  private static final int FIRST = 1000;

  /** What runs again and again. */
  private enum Program {
    /** Ran on stock until half of the time was over, by a key of its own. */
    NIGHTLY("nightly report %s", "carol", "etl"),
    /** The same, and is slower in engines. */
    SESSIONS("sessions of the clicks %s", "bob", "adhoc"),
    /** Only ever ran in engines. */
    JOIN("join %s", "alice", "default"),
    /** All its tasks are programs. */
    STREAMING("streaming export %s", "dave", "etl"),
    /** A part of its tasks falls back. */
    IMPORT("import %s", "carol", "etl"),
    /** Fails. */
    TRAINING("training of the model %s", "erin", "research"),
    /** Leaves no evidence. */
    COPY("copy %s", "dave", "research");

    private final String name;
    private final String user;
    private final String queue;

    Program(String name, String user, String queue) {
      this.name = name;
      this.user = user;
      this.queue = queue;
    }
  }

  /** One run. */
  private record Run(int number, Program program, long endedMs, boolean stock) {

    String id() {
      return ID + number;
    }

    long startedMs() {
      return endedMs - tookMs();
    }

    long inputBytes() {
      return (40L << 30) + number % 5 * (1L << 30);
    }

    /** Twenty minutes on stock and twelve in engines of one; nine and ten of the other. */
    long tookMs() {
      long minute = inputBytes() * 60 / (40 << 20);
      return program == Program.SESSIONS ? minute * (stock ? 9 : 10) : minute * (stock ? 20 : 12);
    }

    boolean failed() {
      return program == Program.TRAINING;
    }

    int maps() {
      return program == Program.TRAINING ? 3000 : 320;
    }

    int reduces() {
      return program == Program.COPY ? 0 : 32;
    }

    String name() {
      return String.format(
          program.name, Instant.ofEpochMilli(endedMs).atZone(ZoneOffset.UTC).toLocalDate());
    }
  }

  private final List<Run> runs = new ArrayList<>();
  private volatile boolean forgotten;

  /**
   * @param count how many, over the last six days
   */
  SimulatedPast(int count, long nowMs) {
    for (int i = 0; i < count; i++) {
      Program program = Program.values()[i % Program.values().length];
      long ended = nowMs - 600_000 - i * (6 * DAY / Math.max(1, count));
      boolean pairs = program == Program.NIGHTLY || program == Program.SESSIONS;
      runs.add(new Run(FIRST + i, program, ended, pairs && i > count / 2));
    }
  }

  /** The history server forgets all of it, and the ResourceManager too. */
  public void forget() {
    forgotten = true;
  }

  public int size() {
    return runs.size();
  }

  static boolean isOf(String path) {
    return path.matches(".*(job|task|application|attempt|container)_1700000000000_[1-9]\\d{3}.*");
  }

  private Run run(String path) {
    int number = Integer.parseInt(path.replaceFirst(".*_1700000000000_(\\d{4}).*", "$1"));
    return forgotten || number - FIRST >= runs.size() ? null : runs.get(number - FIRST);
  }

  /** Adds what the ResourceManager still has and what fits. */
  void addApplications(ArrayNode apps, long sinceMs, Predicate<Long> ended) {
    for (Run run : runs) {
      if (!forgotten && run.endedMs() >= sinceMs && ended.test(run.endedMs())) {
        apps.add(application(run));
      }
    }
  }

  private static ObjectNode application(Run run) {
    return JSON.createObjectNode()
        .put("id", run.id().replace("job", "application"))
        .put("name", run.name())
        .put("user", run.program().user)
        .put("queue", run.program().queue)
        .put("state", "FINISHED")
        .put("finalStatus", run.failed() ? "FAILED" : "SUCCEEDED")
        .put("progress", 100.0)
        .put("startedTime", run.startedMs())
        .put("finishedTime", run.endedMs())
        .put("memorySeconds", run.tookMs() * 40)
        .put("vcoreSeconds", run.tookMs() / 25)
        .put("diagnostics", run.failed() ? diagnostics(run) : "")
        .put("allocatedMB", -1)
        .put("runningContainers", -1)
        .put("trackingUrl", "");
  }

  private static String diagnostics(Run run) {
    return "Task failed task_1700000000000_"
        + run.number()
        + "_m_000007\nJob failed as tasks failed. failedMaps:1 failedReduces:0 killedMaps:0"
        + " killedReduces: 0\n";
  }

  /** Adds what the history server lists. */
  void addHistory(ArrayNode jobs, Predicate<Long> started, Predicate<Long> ended) {
    for (Run run : runs) {
      if (!forgotten && started.test(run.startedMs()) && ended.test(run.endedMs())) {
        jobs.add(job(run));
      }
    }
  }

  private static ObjectNode job(Run run) {
    return JSON.createObjectNode()
        .put("id", run.id())
        .put("name", run.name())
        .put("user", run.program().user)
        .put("queue", run.program().queue)
        .put("state", run.failed() ? "FAILED" : "SUCCEEDED")
        .put("submitTime", run.startedMs())
        .put("startTime", run.startedMs() + 2000)
        .put("finishTime", run.endedMs())
        .put("mapsTotal", run.maps())
        .put("mapsCompleted", run.failed() ? run.maps() - 40 : run.maps())
        .put("reducesTotal", run.reduces())
        .put("reducesCompleted", run.failed() ? 0 : run.reduces());
  }

  /** What is at a path of the history server; null if nothing is. */
  String answer(String path) {
    Run run = run(path);
    if (run == null) {
      return null;
    }
    if (path.endsWith("/counters")) {
      return wrap("jobCounters", "counterGroup", counters(run)).toString();
    } else if (path.endsWith("/conf")) {
      return conf(run);
    } else if (path.endsWith("/jobattempts")) {
      ArrayNode masters = JSON.createArrayNode();
      masters
          .addObject()
          .put("id", 1)
          .put("nodeHttpAddress", "NODE0")
          .put("containerId", "container_1700000000000_" + run.number() + "_01_000001");
      return wrap("jobAttempts", "jobAttempt", masters).toString();
    } else if (path.endsWith("/attempts")) {
      return wrap("taskAttempts", "taskAttempt", attempts(run, path)).toString();
    } else if (path.endsWith("/tasks")) {
      return wrap("tasks", "task", tasks(run)).toString();
    } else if (path.contains("/apps/")) {
      return JSON.createObjectNode().set("app", application(run)).toString();
    }
    ObjectNode job = job(run);
    job.put("diagnostics", run.failed() ? diagnostics(run) : "");
    job.put("failedMapAttempts", run.failed() ? 6 : 0)
        .put("killedMapAttempts", run.failed() ? 2 : 0);
    job.put("failedReduceAttempts", 0).put("killedReduceAttempts", 0);
    return JSON.createObjectNode().set("job", job).toString();
  }

  private static ObjectNode wrap(String outer, String inner, ArrayNode list) {
    ObjectNode answer = JSON.createObjectNode();
    answer.putObject(outer).set(inner, list);
    return answer;
  }

  private static String conf(Run run) {
    ArrayNode properties = JSON.createArrayNode();
    properties.addObject().put("name", "mapreduce.job.queuename").put("value", run.program().queue);
    properties
        .addObject()
        .put("name", "mammoth.engine.enabled")
        .put("value", String.valueOf(!run.stock()));
    return wrap("conf", "property", properties).toString();
  }

  private static ArrayNode counters(Run run) {
    ArrayNode groups = JSON.createArrayNode();
    ArrayNode task = group(groups, "org.apache.hadoop.mapreduce.TaskCounter");
    counter(task, "SPILLED_RECORDS", run.stock() ? 9_000_000 : 1200, 4_000_000);
    counter(task, "CPU_MILLISECONDS", run.tookMs() * 20, run.tookMs() * 4);
    counter(task, "GC_TIME_MILLIS", run.tookMs() / (run.stock() ? 4 : 20), run.tookMs() / 30);
    if (run.reduces() > 0) {
      counter(task, "REDUCE_SHUFFLE_BYTES", 0, run.inputBytes() / 3);
    }
    ArrayNode files = group(groups, "org.apache.hadoop.mapreduce.FileSystemCounter");
    counter(files, "HDFS_BYTES_READ", run.inputBytes(), 0);
    counter(files, "HDFS_BYTES_WRITTEN", 0, run.inputBytes() / 8);
    counter(files, "FILE_BYTES_WRITTEN", run.stock() ? run.inputBytes() / 2 : 0, 77_000);
    ArrayNode input = group(groups, "org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter");
    counter(input, "BYTES_READ", run.inputBytes(), 0);
    ArrayNode mammoth = group(groups, "org.mammoth.mapreduce.MammothCounter");
    switch (run.program()) {
      case STREAMING -> counter(mammoth, "ENGINE_FALLBACKS", run.maps(), run.reduces());
      case IMPORT -> {
        counter(mammoth, "ENGINE_FALLBACKS", 24, 0);
        shuffle(groups, run);
      }
      case COPY, TRAINING -> {}
      default -> {
        if (!run.stock()) {
          shuffle(groups, run);
        }
      }
    }
    return groups;
  }

  private static void shuffle(ArrayNode groups, Run run) {
    ArrayNode shuffle = group(groups, "org.mammoth.mapreduce.MammothShuffleCounter");
    counter(shuffle, "MEMORY_BYTES", 0, run.inputBytes() / 6);
    counter(shuffle, "NETWORK_BYTES", 0, run.inputBytes() / 6);
  }

  private static ArrayNode group(ArrayNode groups, String name) {
    return groups.addObject().put("counterGroupName", name).putArray("counter");
  }

  private static void counter(ArrayNode group, String name, long map, long reduce) {
    group
        .addObject()
        .put("name", name)
        .put("mapCounterValue", map)
        .put("reduceCounterValue", reduce)
        .put("totalCounterValue", map + reduce);
  }

  private static ArrayNode tasks(Run run) {
    ArrayNode tasks = JSON.createArrayNode();
    int all = run.maps() + run.reduces();
    for (int i = 0; i < all; i++) {
      boolean map = i < run.maps();
      String id =
          String.format(
              "task_1700000000000_%d_%s_%06d",
              run.number(), map ? "m" : "r", map ? i : i - run.maps());
      boolean bad = run.failed() && i == 7;
      boolean killed = run.failed() && (!map || i > run.maps() - 40);
      long start = run.startedMs() + 5000 + run.tookMs() * i / all * 8 / 10;
      tasks
          .addObject()
          .put("id", id)
          .put("type", map ? "MAP" : "REDUCE")
          .put("state", bad ? "FAILED" : killed ? "KILLED" : "SUCCEEDED")
          .put("startTime", start)
          .put("finishTime", Math.min(run.endedMs(), start + 20_000 + i * 7919L % 60_000))
          .put("progress", 100)
          .put(
              "successfulAttempt",
              bad || killed
                  ? ""
                  : id.replace("task", "attempt") + (run.failed() && i == 11 ? "_1" : "_0"));
    }
    return tasks;
  }

  private static ArrayNode attempts(Run run, String path) {
    ArrayNode attempts = JSON.createArrayNode();
    String task = path.replaceFirst(".*/tasks/([^/]+)/attempts", "$1");
    int count = task.endsWith("m_000007") ? 4 : 2;
    for (int i = 0; i < count; i++) {
      boolean bad = run.failed() && (count == 4 || i == 0);
      attempts
          .addObject()
          .put("id", task.replace("task", "attempt") + "_" + i)
          .put("type", "MAP")
          .put("state", bad ? "FAILED" : "SUCCEEDED")
          .put("startTime", run.startedMs() + 6000 + i * 40_000L)
          .put("finishTime", run.startedMs() + 36_000 + i * 40_000L)
          // The last attempt was at a node that is no part of the cluster.
          .put("nodeHttpAddress", i == 3 ? "gone.example.org:8042" : "NODE" + i)
          .put(
              "assignedContainerId",
              String.format("container_1700000000000_%d_01_%06d", run.number(), 10 + i))
          .put(
              "diagnostics",
              bad
                  ? "Error: java.lang.IllegalStateException: the row 41 of part-00007 has 3 columns,"
                      + " not 4\n\tat org.example.Training.map(Training.java:88)\n"
                  : "");
    }
    return attempts;
  }

  /** A log file as NodeManagers and the history server give it; null if it is not there. */
  static String log(String path) {
    boolean syslog = path.endsWith("/syslog");
    if (!syslog && !path.endsWith("/stderr") || !isOf(path)) {
      return null;
    }
    String text =
        syslog
            ? "2026-11-28 04:00:11,004 INFO [main] org.apache.hadoop.mapred.MapTask: Processing"
                + " split\n2026-11-28 04:00:12,731 WARN [main]"
                + " org.apache.hadoop.mapred.YarnChild: Exception running child :"
                + " java.lang.IllegalStateException: the row 41 of part-00007 has 3 columns, not 4\n"
            : "";
    String file = syslog ? "syslog" : "stderr";
    return "Container: c\nLogAggregationType: LOCAL\n=====\nLogType:"
        + file
        + "\nLogLength:"
        + text.length()
        + "\nLogContents:\n"
        + text
        + "\nEnd of LogType:"
        + file
        + "\n*****\n";
  }
}
