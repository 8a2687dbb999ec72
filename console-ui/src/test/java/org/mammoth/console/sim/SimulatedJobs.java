package org.mammoth.console.sim;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Four jobs as ResourceManager, ApplicationMaster and history server tell them. */
final class SimulatedJobs {

  private static final ObjectMapper JSON = new ObjectMapper();

  private SimulatedJobs() {}

  static String list(long startMs) {
    ArrayNode apps = JSON.createArrayNode();
    String[] users = {"alice", "bob", "alice", "alice"};
    String[] names = {"terasort", "word count of the logs", "join of yesterday", "terasort"};
    for (int i = 0; i < 4; i++) {
      boolean done = i >= 2;
      apps.addObject()
          .put("id", "application_1700000000000_000" + (i + 1))
          .put("name", names[i])
          .put("user", users[i])
          .put("queue", "default")
          .put("state", done ? "FINISHED" : "RUNNING")
          .put("finalStatus", done ? "SUCCEEDED" : "UNDEFINED")
          .put("progress", done ? 100.0 : 41.5 + i)
          .put("startedTime", startMs + 60_000L * (4 - i))
          .put("finishedTime", done ? startMs + 600_000L : 0)
          .put("allocatedMB", done ? -1 : 8192)
          .put("runningContainers", done ? -1 : 9)
          .put("trackingUrl", "http://rm/proxy/application_1700000000000_000" + (i + 1));
    }
    ObjectNode answer = JSON.createObjectNode();
    answer.putObject("apps").set("app", apps);
    return answer.toString();
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

  static String counters() {
    ObjectNode group = JSON.createObjectNode();
    group.put("counterGroupName", "org.apache.hadoop.mapreduce.TaskCounter");
    ArrayNode list = group.putArray("counter");
    for (String name : new String[] {"SPILLED_RECORDS", "MAP_OUTPUT_BYTES", "SHUFFLED_MAPS"}) {
      list.addObject()
          .put("name", name)
          .put("mapCounterValue", 1200)
          .put("reduceCounterValue", 800)
          .put("totalCounterValue", 2000);
    }
    ObjectNode answer = JSON.createObjectNode();
    answer.putObject("jobCounters").putArray("counterGroup").add(group);
    return answer.toString();
  }
}
