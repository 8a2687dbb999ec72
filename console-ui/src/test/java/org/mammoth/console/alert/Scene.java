// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.mammoth.console.live.EngineLosses;
import org.mammoth.console.live.Moment;
import org.mammoth.console.model.CacheSample;
import org.mammoth.console.model.DfsSpace;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.HostSample;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.model.NodeState.Reach;
import org.mammoth.console.read.ClusterView;

/** A small cluster that a test changes as it likes, one moment after the other. */
final class Scene {

  static final long START = 1_700_000_000_000L;

  final Map<String, String> masters = new TreeMap<>(Map.of("http://rm:8088", ""));
  final Map<String, NodeState> nodes = new TreeMap<>();
  final List<JobSample> jobs = new ArrayList<>();
  private EngineLosses losses = new EngineLosses();
  private long sequence;
  long nowMs = START;

  static String id(int i) {
    return "n" + i + ":8042";
  }

  Scene well(int i, EngineSample... engines) {
    return node(i, Reach.OK, "", sample(List.of(), engines), null);
  }

  Scene ill(int i, Reach reach, String reason) {
    return node(i, reach, reason, null, null);
  }

  Scene node(int i, Reach reach, String reason, NodeSample sample, CacheSample cache) {
    nodes.put(
        id(i),
        new NodeState(
            id(i),
            "n" + i,
            "/r",
            "http://" + id(i),
            null,
            "RUNNING",
            "3.4.2",
            reach,
            reason,
            nowMs,
            sample,
            cache,
            "",
            null));
    return this;
  }

  /** A node that answers, and gets no containers of YARN. */
  Scene unhealthy(int i) {
    return with(i, "UNHEALTHY", nodes.get(id(i)).sample(), null);
  }

  /** A node that tells of its disks. */
  Scene disks(int i, long badLocalDirs, long failedVolumes) {
    NodeSample told = nodes.get(id(i)).sample();
    HostSample host = new HostSample(8, 0, 8, 8, 0, 0, 2, 0, 0, 0, 95, badLocalDirs);
    NodeSample sample =
        new NodeSample(
            told.timeMs(),
            told.atMs(),
            true,
            0,
            0,
            0,
            0,
            Map.of(),
            List.of(),
            null,
            host,
            told.engines());
    return with(i, "RUNNING", sample, new DfsSpace(8, 4, failedVolumes));
  }

  private Scene with(int i, String yarnState, NodeSample sample, DfsSpace dfs) {
    nodes.put(
        id(i),
        new NodeState(
            id(i),
            "n" + i,
            "/r",
            "http://" + id(i),
            dfs == null ? null : "http://n" + i + ":9864",
            yarnState,
            "3.4.2",
            Reach.OK,
            "",
            nowMs,
            sample,
            null,
            "",
            dfs));
    return this;
  }

  /** As YARN lists a node that it has lost: without its address, and so by another id. */
  Scene lost(int i) {
    return away(i, "LOST");
  }

  /** The same of one that is away for another reason. */
  Scene away(int i, String state) {
    nodes.remove(id(i));
    String id = "n" + i + ":8041";
    nodes.put(
        id,
        new NodeState(
            id, "n" + i, "/r", null, null, state, "3.4.2", Reach.NEW, "", 0, null, null, "", null));
    return this;
  }

  NodeSample sample(List<NodeSample.Fallback> last, EngineSample... engines) {
    return new NodeSample(
        nowMs, nowMs, true, 0, 0, 0, last.size(), Map.of(), last, null, null, List.of(engines));
  }

  static CacheSample cache(long hits, long misses) {
    return new CacheSample(
        START, 1, 1, 1, 0, 0, 0, 0, hits, misses, hits, misses, 0, 0, Map.of(), Map.of());
  }

  static JobSample job(String id, String user, String status, long startedMs, long finishedMs) {
    return job(id, user, status, startedMs, finishedMs, finishedMs);
  }

  static JobSample job(
      String id, String user, String status, long startedMs, long finishedMs, long endSeenMs) {
    return new JobSample(
        id,
        id.replace("job", "application"),
        "sort",
        user,
        "default",
        finishedMs > 0 ? "FINISHED" : "RUNNING",
        status,
        1,
        startedMs,
        finishedMs,
        endSeenMs,
        0,
        0,
        "",
        null);
  }

  /** An engine that runs tasks; {@code more} is JSON of further fields, each with a comma. */
  static EngineSample engine(String id, int running, boolean pressure, String disks) {
    String text =
        "{\"id\":\""
            + id
            + "\",\"role\":\"TASKS\",\"draining\":\"\",\"open\":true,\"ageMs\":5,\"problem\":\"\","
            + "\"counts\":{\"running\":"
            + running
            + "},\"jvm\":{},\"memory\":{\"pressure\":"
            + pressure
            + ",\"byKind\":{},\"leases\":[],\"reduces\":[],\"waiters\":[]},"
            + "\"elements\":{\"shares\":[]},\"disks\":["
            + disks
            + "],\"tasks\":[]}";
    try {
      return new ObjectMapper().readValue(text, EngineSample.class);
    } catch (java.io.IOException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  static String disk(String name, long oldestMs, String reason) {
    return "{\"name\":\""
        + name
        + "\",\"longestInFlightMs\":0,\"dirs\":[{\"path\":\"/data/0\",\"state\":\"\",\"reason\":\""
        + reason
        + "\"}],\"lanes\":[{\"ioClass\":\"SORT\",\"direction\":\"WRITE\",\"oldestAgeMs\":"
        + oldestMs
        + "}]}";
  }

  /** The moment now. */
  Moment moment() {
    ClusterView view =
        new ClusterView(
            nowMs, new TreeMap<>(masters), new TreeMap<>(nodes), List.copyOf(jobs), null);
    return Moment.of(++sequence, view, losses.see(view));
  }

  /** The console forgets what it has noticed, and its host's clock is set. */
  Scene restarted(long atMs) {
    losses = new EngineLosses();
    nowMs = atMs;
    return this;
  }

  Scene after(long seconds) {
    nowMs += 1000 * seconds;
    return this;
  }
}
