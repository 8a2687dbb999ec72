// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.sim;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One node that behaves like a NodeManager with an engine under two jobs: map output fills the
 * pool, reduces take over, quotas shift, spills queue at the disks. All of it follows from the
 * node's number and the time, so that a test can say what the page must show.
 */
public final class SimulatedNode {

  static final long MIB = 1L << 20;
  static final long UNIT = MIB;
  static final long CAP = 2560 * MIB;
  static final long POOL = 1536 * MIB;
  static final long ELEMENTS = 384 * MIB;
  private static final int LOG = 1024;
  private static final String[] USERS = {"alice", "bob"};

  private final ObjectMapper json = new ObjectMapper();
  private final int number;
  private final long startMs;
  private final Deque<ObjectNode> log = new ArrayDeque<>();
  private long next;
  private long lastSecond = -1;
  private int runningJobs = 2;
  private int engines = 1;
  private String diskReason = "";

  SimulatedNode(int number, long startMs) {
    this.number = number;
    this.startMs = startMs;
  }

  static String job(int which) {
    return "job_1700000000000_000" + (which + 1);
  }

  static String attempt(int which, String type, int task) {
    return String.format("attempt_1700000000000_000%d_%s_%06d_0", which + 1, type, task);
  }

  /** The second job holds nothing any more, and none of its tasks runs. */
  synchronized void endSecondJob() {
    runningJobs = 1;
  }

  /** The engine ends while it runs tasks, and another is started. */
  public synchronized void loseEngine() {
    engines++;
  }

  /** Why the engine leaves its first directory out; empty if it does not. */
  public synchronized void diskOut(String reason) {
    diskReason = reason;
  }

  /** Position within the node's wave of 120 s, 0..1; nodes are spread over it. */
  private double phase(long second) {
    return ((second + number * 17L) % 120) / 120.0;
  }

  private static long units(double share, double of) {
    return Math.max(0, Math.round(share * of)) * UNIT;
  }

  /** What the engine holds at a second: SORT, SEND, RECEIVE, IO in bytes. */
  public long[] held(long second) {
    double p = phase(second);
    double wobble = 0.06 * Math.sin(second / 3.0 + number);
    double sort = p < 0.6 ? 0.55 * Math.sin(Math.PI * p / 0.6) + wobble : 0.04;
    double send = p < 0.8 ? 0.3 * Math.sin(Math.PI * p / 0.8) : 0;
    double receive = p > 0.3 ? 0.6 * Math.sin(Math.PI * (p - 0.3) / 0.7) + wobble / 2 : 0;
    double io = 0.03 + 0.02 * Math.abs(Math.sin(second / 7.0 + number));
    double units = POOL / (double) UNIT;
    return new long[] {
      units(sort, units), units(send, units), units(receive, units), units(io, units)
    };
  }

  synchronized String snapshot(long nowMs) {
    long second = advance(nowMs);
    ObjectNode node = json.createObjectNode();
    node.put("version", 1).put("atMs", nowMs).put("enabled", true);
    node.put("shareMb", 6144).put("admittedMb", 1024 * 4).put("admittedTasks", 4);
    ObjectNode fallbacks = node.putObject("fallbacks");
    fallbacks.put("total", number % 5);
    if (number % 5 > 0) {
      fallbacks.putObject("byReason").put("it is a streaming task", number % 5);
      fallbacks
          .putArray("last")
          .addObject()
          .put("atMs", nowMs - 60_000)
          .put("container", "container_1700000000000_0001_01_000007")
          .put("task", "task_1700000000000_0001_m_000007")
          .put("reason", "it is a streaming task");
    }
    node.set("host", host(second));
    ObjectNode engine = node.putArray("engines").addObject();
    engine.put("engineId", engineId()).put("user", "yarn").put("pid", 4000 + number);
    engine.put("role", "TASKS").put("open", true).put("ageMs", 120).put("problem", "");
    engine.set("snapshot", engine(nowMs, second));
    return node.toString();
  }

  /** A host of 16 cores that is as busy as its engine's memory is full. */
  private ObjectNode host(long second) {
    long work = 0;
    // Work only grows: what was done in each second of the wave, added up.
    for (long at = 0; at <= second % 120; at++) {
      work += Math.round(1000 * Math.sin(Math.PI * phase(second - second % 120 + at)));
    }
    work += second / 120 * 76_000;
    return json.createObjectNode()
        .put("cores", 16)
        .put("cpuMs", 12 * work)
        .put("memoryBytes", 16L << 30)
        .put("memoryAvailableBytes", (4 + number % 3) * (1L << 30))
        .put("networkInBytes", work * 40_000)
        .put("networkOutBytes", work * 30_000)
        .put("disks", 4)
        .put("diskReadBytes", work * 90_000)
        .put("diskWrittenBytes", work * 60_000)
        .put("diskBusyMs", 3 * work)
        .put("localDirsUsedPercent", 30 + number * 13 % 60)
        .put("badLocalDirs", number % 17 == 16 ? 1 : 0);
  }

  /** As long as the engine has not answered for the first time. */
  String startingSnapshot(long nowMs) {
    ObjectNode node = json.createObjectNode();
    node.put("version", 1).put("atMs", nowMs).put("enabled", true).put("shareMb", 6144);
    ObjectNode engine = node.putArray("engines").addObject();
    engine.put("engineId", engineId()).put("user", "yarn").put("pid", 4000 + number);
    engine.put("role", "TASKS").put("open", true).put("ageMs", -1);
    engine.put("problem", "nothing was fetched yet").putNull("snapshot");
    return node.toString();
  }

  private String engineId() {
    return "engine-" + number + "-yarn" + (engines == 1 ? "" : "-" + engines);
  }

  private ObjectNode engine(long nowMs, long second) {
    long[] held = held(second);
    ObjectNode engine = json.createObjectNode();
    engine.put("version", 1).put("engineId", engineId()).put("user", "yarn");
    engine.put("pid", 4000 + number).put("atMs", nowMs).put("startedMs", startMs);
    engine.put("draining", "");
    engine
        .putObject("counts")
        .put("running", 4)
        .put("started", second / 10 + 4)
        .put("finished", second / 10);
    long used = ELEMENTS + held[0] + held[1] + held[2] + held[3];
    engine
        .putObject("jvm")
        .put("heapUsedBytes", 600 * MIB + (second % 30) * 8 * MIB)
        .put("heapCommittedBytes", 1024 * MIB)
        .put("heapMaxBytes", 1536 * MIB)
        .put("directBytes", CAP)
        .put("residentBytes", used + 900 * MIB)
        .put("metaspaceBytes", 90 * MIB)
        .put("gcCount", second / 5)
        .put("gcMs", second * 12)
        .put("threads", 64)
        .put("loadedClasses", 14000);
    engine.set("memory", memory(second, held, used));
    ObjectNode elements = engine.putObject("elements");
    elements.put("slabBytes", 32 * MIB).put("slabs", 12).put("lentSlabs", 6);
    ArrayNode shares = elements.putArray("maps");
    for (int which = 0; which < runningJobs; which++) {
      shares
          .addObject()
          .put("attempt", attempt(which, "m", number))
          .put("job", job(which))
          .put("slabs", 3);
    }
    engine
        .putObject("send")
        .put("outputs", 12)
        .put("heldOutputs", 4)
        .put("heldBytes", held[1])
        .put("fileBytes", 3 * held[1]);
    engine.set("disks", disks(second));
    ArrayNode tasks = engine.putArray("tasks");
    for (int which = 0; which < runningJobs; which++) {
      task(tasks, nowMs, which, "m", "MAP");
      task(tasks, nowMs, which, "r", "SHUFFLE");
    }
    return engine;
  }

  private void task(ArrayNode tasks, long nowMs, int which, String type, String phase) {
    tasks
        .addObject()
        .put("attempt", attempt(which, type, number))
        .put("job", job(which))
        .put("user", USERS[which])
        .put("container", "container_1700000000000_000" + (which + 1) + "_01_00000" + number % 10)
        .put("phase", phase)
        .put("memoryMb", 1024)
        .put("programs", type.equals("m") && number % 3 == 0 ? 2 : 0)
        .put("programBytes", type.equals("m") && number % 3 == 0 ? 80L << 20 : 0)
        .put("merge", type.equals("r") && number % 2 == 0 ? "auto: levitated" : "")
        .put("sinceMs", Math.max(startMs, nowMs - 40_000));
  }

  private ObjectNode memory(long second, long[] held, long used) {
    ObjectNode memory = json.createObjectNode();
    long map = Math.min(POOL, Math.max(units(0.2, POOL / (double) UNIT), held[0] + held[1]));
    memory.put("capBytes", CAP).put("usedBytes", used).put("unitBytes", UNIT);
    memory.put("poolBytes", POOL).put("poolUsedBytes", held[0] + held[1] + held[2]);
    memory.put("pressure", pressure(held));
    memory.put("sortBufferBytes", held[0]).put("mapQuotaBytes", map);
    memory.put("borrowedBytes", 0).put("reduceQuotaBytes", POOL - map).put("runningMaps", 2);
    memory.put("ioBesideBytes", 0);
    ObjectNode kinds = memory.putObject("byKind");
    kinds.put("ELEMENT", ELEMENTS).put("SORT", held[0]).put("SEND", held[1]);
    kinds.put("RECEIVE", held[2]).put("IO", held[3]).put("DATA_CACHE", 0);
    ArrayNode leases = memory.putArray("leases");
    lease(leases, "engine", "", "elements", "ELEMENT", ELEMENTS);
    ArrayNode jobs = memory.putArray("jobs");
    ArrayNode reduces = memory.putArray("reduces");
    for (int which = 0; which < runningJobs; which++) {
      // The first job has two thirds of everything.
      long[] part = new long[4];
      for (int i = 0; i < 4; i++) {
        long first = held[i] / 3 * 2;
        part[i] = which == 0 ? first : held[i] - first;
      }
      lease(leases, USERS[which], job(which), attempt(which, "m", number), "SORT", part[0]);
      lease(leases, USERS[which], job(which), "", "SEND", part[1]);
      lease(leases, USERS[which], job(which), attempt(which, "r", number), "RECEIVE", part[2]);
      lease(leases, USERS[which], job(which), attempt(which, "m", number), "IO", part[3]);
      jobs.addObject()
          .put("user", USERS[which])
          .put("job", job(which))
          .put("weight", 1.0)
          .put("maps", 1)
          .put("reduces", 1)
          .put("sortBytes", part[0])
          .put("sendBytes", part[1])
          .put("receiveBytes", part[2])
          .put("sortPeakBytes", 64 * MIB);
      reduces
          .addObject()
          .put("attempt", attempt(which, "r", number))
          .put("usedBytes", part[2])
          .put("quotaBytes", (POOL - map) / 2)
          .put("desiredBytes", -1);
    }
    ArrayNode waiters = memory.putArray("waiters");
    if (pressure(held)) {
      waiters
          .addObject()
          .put("attempt", attempt(1, "r", number))
          .put("kind", "RECEIVE")
          .put("waitedMs", 340)
          .put("passedBy", 2);
    }
    memory.put("nextDecision", next);
    memory.putObject("decisionsByRule").put("ROOM", next);
    return memory;
  }

  private static void lease(
      ArrayNode leases, String user, String job, String attempt, String kind, long bytes) {
    if (bytes > 0) {
      leases
          .addObject()
          .put("user", user)
          .put("job", job)
          .put("attempt", attempt)
          .put("attempts", attempt.isEmpty() ? 3 : 1)
          .put("kind", kind)
          .put("bytes", bytes);
    }
  }

  private static boolean pressure(long[] held) {
    return held[0] + held[1] + held[2] > POOL * 0.78;
  }

  private ArrayNode disks(long second) {
    ArrayNode disks = json.createArrayNode();
    double p = phase(second);
    for (int d = 0; d < 2; d++) {
      long depth = Math.round((p > 0.5 && p < 0.9 ? 24 : 2) * Math.abs(Math.sin(second / 4.0 + d)));
      ObjectNode disk = disks.addObject();
      disk.put("disk", "sd" + (char) ('b' + d)).put("inFlight", depth > 0 ? 1 : 0);
      disk.put("longestInFlightMs", depth > 0 ? 12 : 0);
      disk.putArray("dirs")
          .addObject()
          .put("path", "/data/" + d + "/local")
          .put("state", d == 0 && !diskReason.isEmpty() ? "QUARANTINED" : "HEALTHY")
          .put("reason", d == 0 ? diskReason : "")
          .put("retryInMs", 0);
      ArrayNode lanes = disk.putArray("lanes");
      for (String io : new String[] {"ACTIVE", "RECEIVE", "SEND", "SORT"}) {
        for (String direction : new String[] {"READ", "WRITE"}) {
          boolean spills = direction.equals("WRITE") && !io.equals("ACTIVE");
          long waiting = spills ? depth / 3 : io.equals("ACTIVE") ? depth / 8 : 0;
          lanes
              .addObject()
              .put("ioClass", io)
              .put("direction", direction)
              .put("files", 1)
              .put("depthUnits", waiting)
              .put("heldBytes", waiting * UNIT)
              .put("oldestAgeMs", waiting * 35)
              .put("totalBytes", second * 9 * MIB)
              .put("bytesPerSecond", waiting > 0 ? 31.5 * MIB : 0)
              .put("errors", 0);
        }
      }
    }
    return disks;
  }

  /** Makes the decisions of the seconds since the last look: three a second, and a shift a wave. */
  private long advance(long nowMs) {
    long second = (nowMs - startMs) / 1000;
    long first = lastSecond < 0 ? second - 5 : lastSecond + 1;
    for (long s = Math.max(first, second - 300); s <= second; s++) {
      long at = startMs + s * 1000;
      long[] held = held(s);
      decide(at + 100, "GRANT", 0, "m", "SORT", 16 * UNIT, "ROOM", -1);
      decide(at + 400, "GRANT", 1, "r", "RECEIVE", 8 * UNIT, pressure(held) ? "FLOOR" : "ROOM", -1);
      if (pressure(held)) {
        decide(at + 500, "REVOKE", 0, "m", "RECEIVE", 4 * UNIT, "PRIORITY", 1);
        decide(at + 600, "WAIT", 1, "r", "RECEIVE", 8 * UNIT, "QUOTA", -1);
      }
      lastSecond = s;
    }
    return second;
  }

  private void decide(
      long at,
      String action,
      int who,
      String type,
      String kind,
      long bytes,
      String rule,
      int victim) {
    ObjectNode decision = json.createObjectNode();
    decision.put("sequence", next++).put("atMs", at).put("action", action);
    decision.put("user", USERS[who]).put("job", job(who));
    decision.put("attempt", attempt(who, type, number)).put("kind", kind).put("bytes", bytes);
    decision.put("rule", rule).put("victimJob", victim < 0 ? "" : job(victim));
    decision.put("victim", victim < 0 ? "" : attempt(victim, "r", number));
    decision.put("waitedMs", rule.equals("FLOOR") ? 340 : 0);
    log.addLast(decision);
    if (log.size() > LOG) {
      log.removeFirst();
    }
  }

  synchronized String decisions(long nowMs, int most) {
    advance(nowMs);
    ObjectNode node = json.createObjectNode();
    node.put("version", 1).put("atMs", nowMs);
    ObjectNode engine = node.putArray("engines").addObject();
    engine.put("engineId", engineId()).put("user", "yarn").put("ageMs", 0).put("problem", "");
    engine.put("next", next);
    List<ObjectNode> all = new ArrayList<>(log);
    engine.putArray("decisions").addAll(all.subList(Math.max(0, all.size() - most), all.size()));
    return node.toString();
  }

  /** The attributes of the DataNode's cache bean, as /jmx writes them. */
  ObjectNode slave(long nowMs) {
    long second = (nowMs - startMs) / 1000;
    double p = phase(second);
    ObjectNode bean = json.createObjectNode();
    bean.put("name", "Hadoop:service=DataNode,name=MpCacheSlave");
    long hits = second * 7;
    long misses = second * 3;
    bean.put("Hits", hits).put("Misses", misses);
    bean.put("HitBlockBytes", hits * 128 * MIB).put("MissBlockBytes", misses * 128 * MIB);
    bean.put("Copies", 40).put("FillsWaiting", number % 3);
    long lent = Math.round(p * 8) * 128 * MIB;
    ArrayNode space = bean.putArray("Space");
    entry(space, "inputCapacity", 8192 * MIB + 2048 * MIB - lent);
    entry(space, "inputUsed", Math.round(6144 * (0.5 + p / 2)) * MIB);
    entry(space, "localizedCapacity", 2048 * MIB + lent);
    entry(space, "localizedUsed", Math.round(2048 * p) * MIB);
    entry(space, "localizedRefused", 0);
    entry(space, "pool", 2048 * MIB);
    entry(space, "poolLent", lent);
    entry(bean.putArray("Fills"), "filled", 48);
    entry(bean.putArray("Evictions"), "ordered", 8);
    return bean;
  }

  private static void entry(ArrayNode table, String key, long value) {
    table.addObject().put("key", key).put("value", value);
  }
}
