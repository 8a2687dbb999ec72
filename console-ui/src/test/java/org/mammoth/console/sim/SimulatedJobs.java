// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.sim;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Five jobs as ResourceManager, ApplicationMaster and history server tell them: of the first and
 * the fourth all reduces are in engines that count where their input came from, of the second some;
 * the third is stock's, the fifth of a Mammoth that only counts segments.
 */
final class SimulatedJobs {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Map output of each job, in bytes. */
  private static final long SHUFFLED = 16L << 30;

  private SimulatedJobs() {}

  private static final String[] USERS = {"alice", "bob", "alice", "alice", "alice"};
  private static final String[] NAMES = {
    "terasort", "word count of the logs", "join of yesterday", "terasort", "terasort"
  };

  /** How many maps and reduces jobs had that have ended; of the fifth nobody tells. */
  static ArrayNode history(long startMs, long secondEndedMs) {
    ArrayNode jobs = JSON.createArrayNode();
    for (int job = secondEndedMs > 0 ? 2 : 3; job <= 4; job++) {
      jobs.addObject()
          .put("id", "job_1700000000000_000" + job)
          .put("name", NAMES[job - 1])
          .put("user", USERS[job - 1])
          .put("queue", "default")
          .put("state", "SUCCEEDED")
          .put("submitTime", startMs + 60_000L * (5 - job))
          .put("finishTime", job == 2 ? secondEndedMs : startMs + 600_000L)
          .put("mapsTotal", 400 + job)
          .put("mapsCompleted", 400 + job)
          .put("reducesTotal", 8)
          .put("reducesCompleted", 8);
    }
    return jobs;
  }

  static ArrayNode list(long startMs, long secondEndedMs, boolean secondFails) {
    ArrayNode apps = JSON.createArrayNode();
    for (int i = 0; i < USERS.length; i++) {
      boolean done = i >= 2 || i == 1 && secondEndedMs > 0;
      long end = i == 1 ? secondEndedMs : startMs + 600_000L;
      apps.addObject()
          .put("id", "application_1700000000000_000" + (i + 1))
          .put("name", NAMES[i])
          .put("user", USERS[i])
          .put("queue", "default")
          .put("state", done ? "FINISHED" : "RUNNING")
          .put(
              "finalStatus",
              i == 1 && done && secondFails ? "FAILED" : done ? "SUCCEEDED" : "UNDEFINED")
          .put("progress", done ? 100.0 : 41.5 + i)
          .put("startedTime", startMs + 60_000L * (4 - i))
          .put("finishedTime", done ? end : 0)
          .put("allocatedMB", done ? -1 : 8192)
          .put("runningContainers", done ? -1 : 9)
          .put("trackingUrl", "http://rm/proxy/application_1700000000000_000" + (i + 1));
    }
    return apps;
  }

  static String tasks(String path, long startMs, int count, long nowMs) {
    String number = path.replaceFirst(".*job_1700000000000_(\\d{4}).*", "$1");
    ArrayNode tasks = JSON.createArrayNode();
    for (int i = 0; i < 2 * count; i++) {
      boolean map = i < count;
      String id =
          String.format("task_1700000000000_%s_%s_%06d", number, map ? "m" : "r", i % count);
      boolean runs = path.startsWith("/proxy") && i % 3 != 0;
      long start = startMs + 240_000 + (map ? 0 : 30_000) + (i % count) * 1500L;
      start = runs ? nowMs - 40_000 - (i % count) * 800L : start;
      tasks
          .addObject()
          .put("id", id)
          .put("type", map ? "MAP" : "REDUCE")
          .put("state", runs ? "RUNNING" : "SUCCEEDED")
          .put("startTime", start)
          .put("finishTime", runs ? 0 : start + 20_000 + (i * 7919L) % 30_000)
          .put("progress", runs ? 40 : 100)
          .put("successfulAttempt", runs ? "" : id.replace("task", "attempt") + "_0");
    }
    ObjectNode answer = JSON.createObjectNode();
    answer.putObject("tasks").set("task", tasks);
    return answer.toString();
  }

  /** What Hadoop has not counted it does not list: the second job's reduces read no disk. */
  static String counters(String path) {
    ArrayNode groups = JSON.createArrayNode();
    ArrayNode task = group(groups, "org.apache.hadoop.mapreduce.TaskCounter");
    counter(task, "SPILLED_RECORDS", 1200, 800);
    counter(task, "MAP_OUTPUT_BYTES", 1200, 800);
    counter(task, "SHUFFLED_MAPS", 0, 2000);
    counter(task, "REDUCE_SHUFFLE_BYTES", 0, SHUFFLED);
    char job = path.replaceFirst(".*job_1700000000000_000(\\d).*", "$1").charAt(0);
    if (job != '3') {
      ArrayNode shuffle = group(groups, "org.mammoth.mapreduce.MammothShuffleCounter");
      counter(shuffle, "NODE_SEGMENTS", 0, 700);
      switch (job) {
        case '1' -> sources(shuffle, SHUFFLED * 5 / 8, SHUFFLED / 16);
        case '4' -> sources(shuffle, SHUFFLED * 3 / 8, SHUFFLED * 5 / 16);
        case '2' -> {
          counter(shuffle, "MEMORY_BYTES", 0, SHUFFLED / 4);
          counter(shuffle, "NETWORK_BYTES", 0, SHUFFLED / 2);
        }
        default -> {}
      }
    }
    ObjectNode answer = JSON.createObjectNode();
    answer.putObject("jobCounters").set("counterGroup", groups);
    return answer.toString();
  }

  private static void sources(ArrayNode shuffle, long memory, long disk) {
    counter(shuffle, "MEMORY_BYTES", 0, memory);
    counter(shuffle, "DISK_BYTES", 0, disk);
    counter(shuffle, "NETWORK_BYTES", 0, SHUFFLED - memory - disk);
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
}
