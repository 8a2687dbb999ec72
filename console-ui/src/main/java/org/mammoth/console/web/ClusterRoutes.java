// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ANYONE;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.hadoop.util.VersionInfo;
import org.mammoth.console.config.ConsoleKeys;
import org.mammoth.console.live.Attention;
import org.mammoth.console.live.JobUse;
import org.mammoth.console.live.Moment;
import org.mammoth.console.live.NodeRow;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.model.BufferKinds;
import org.mammoth.console.model.DiskSample;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.read.Addresses;
import org.mammoth.console.store.History;

/** What the cluster is like now. */
final class ClusterRoutes {

  private static final int MOST_ATTENTION = 100;

  private final Recorder recorder;
  private final History history;
  private final Addresses addresses;
  private final Supplier<String> activeResourceManager;
  private final Clock clock;
  private final long startedMs;
  private final String version;
  private final AccessControl access;

  ClusterRoutes(
      Recorder recorder,
      History history,
      Addresses addresses,
      Supplier<String> activeResourceManager,
      Clock clock,
      String version,
      AccessControl access) {
    this.recorder = recorder;
    this.history = history;
    this.addresses = addresses;
    this.activeResourceManager = activeResourceManager;
    this.clock = clock;
    this.startedMs = clock.millis();
    this.version = version;
    this.access = access;
  }

  List<Route> routes() {
    return List.of(
        get("/about", "This console, and who asks", Views.About.class, this::about),
        get(
            "/overview",
            "The cluster in one screen",
            Views.Overview.class,
            call -> overview(recorder.moment(), call.viewer())),
        get(
            "/attention/{cause}",
            "All nodes or jobs of which one line of what needs attention is said",
            Views.Cause.class,
            this::cause),
        get("/nodes", "Every node in a row", Views.Nodes.class, call -> nodes(recorder.moment())),
        get("/nodes/{node}", "One node whole", Views.Node.class, this::node),
        get("/queues", "Spill queues of every disk", Views.Queues.class, this::queues),
        get("/cache", "The SSD cache", Views.Cache.class, this::cache));
  }

  private static Route get(String path, String summary, Class<?> answer, Route.Handler handler) {
    return new Route("GET", path, ANYONE, summary, List.of(), answer, handler);
  }

  Views.About about(Call call) throws IOException {
    Viewer viewer = call.viewer();
    return new Views.About(
        version,
        VersionInfo.getVersion(),
        viewer.user(),
        viewer.admin(),
        viewer.all(),
        viewer.unproven() ? access.refusal(viewer) : "",
        clock.millis(),
        activeResourceManager.get(),
        addresses.historyServer(),
        BufferKinds.NAMES,
        NodeRow.COLUMNS,
        JobUse.COLUMNS,
        Moment.DISK_COLUMNS,
        history.bytes());
  }

  Views.Overview overview(Moment moment, Viewer viewer) {
    Map<String, Long> reach = new TreeMap<>();
    for (NodeState node : moment.view().nodes().values()) {
      reach.merge(node.reach().name(), 1L, Long::sum);
    }
    List<Attention> attention = attention(moment, viewer);
    return new Views.Overview(
        moment.sequence(),
        startedMs,
        moment.view().timeMs(),
        moment.view().masters(),
        reach,
        moment.totals(),
        jobs(moment, viewer, null).stream().filter(row -> row.job().running()).toList(),
        attention.size() > MOST_ATTENTION
            ? List.copyOf(attention.subList(0, MOST_ATTENTION))
            : attention,
        attention.size(),
        Views.CacheCounts.of(moment.view().cacheMaster()),
        recorder.trouble());
  }

  /** What the viewer may see of it; the jobs of a group are all of one user. */
  private static List<Attention> attention(Moment moment, Viewer viewer) {
    Masks masks = new Masks(moment, viewer);
    return moment.attention().stream()
        .filter(item -> !item.page().equals("jobs") || masks.job(item.subject()))
        .toList();
  }

  private Views.Cause cause(Call call) throws ApiException {
    Moment moment = recorder.moment();
    String cause = call.text("cause");
    Attention item =
        attention(moment, call.viewer()).stream()
            .filter(one -> one.cause().equals(cause))
            .findFirst()
            .orElseThrow(() -> new ApiException(404, "nothing of this kind needs attention now"));
    return new Views.Cause(moment.view().timeMs(), item, moment.concerned().get(cause));
  }

  /**
   * The jobs a viewer may see.
   *
   * @param pasts of those that have ended; null if they are not wanted
   */
  static List<Views.JobRow> jobs(Moment moment, Viewer viewer, JobPasts.Reading pasts) {
    Masks masks = new Masks(moment, viewer);
    List<Views.JobRow> rows = new ArrayList<>();
    for (JobSample job : moment.view().jobs()) {
      if (masks.job(job.id())) {
        Views.JobPast past = pasts == null || job.running() ? null : pasts.of(job);
        rows.add(new Views.JobRow(job, use(moment, job), past));
      }
    }
    return rows;
  }

  /**
   * What a job holds. One that has ended holds nothing any more, which says nothing of the job; one
   * that no engine has named holds nothing only if all engines are known.
   */
  static long[] use(Moment moment, JobSample job) {
    JobUse use = moment.uses().get(job.id());
    if (use != null) {
      return use.values();
    }
    int width = JobUse.COLUMNS.size();
    return job.running() && moment.enginesTold() ? new long[width] : Figures.unknown(width);
  }

  Views.Nodes nodes(Moment moment) {
    return new Views.Nodes(
        moment.sequence(),
        moment.view().timeMs(),
        NodeRow.COLUMNS,
        List.copyOf(moment.rows().values()));
  }

  Views.Node node(Call call) throws ApiException {
    Moment moment = recorder.moment();
    NodeState node = find(moment, call.text("node"));
    NodeState shown = new Masks(moment, call.viewer()).node(node);
    List<String> series = new ArrayList<>();
    series.add("node|" + node.id());
    if (node.sample() != null) {
      for (EngineSample engine : node.sample().engines()) {
        for (DiskSample disk : engine.disks()) {
          series.add("disk|" + node.id() + "|" + disk.name());
        }
      }
    }
    return new Views.Node(shown, moment.rows().get(node.id()), series);
  }

  static NodeState find(Moment moment, String id) throws ApiException {
    NodeState node = moment.view().nodes().get(id);
    if (node == null) {
      throw new ApiException(404, "no node " + id + " is known");
    }
    return node;
  }

  private Views.Queues queues(Call call) {
    List<Views.Queue> queues = new ArrayList<>();
    List<Views.Silent> silent = new ArrayList<>();
    Moment moment = recorder.moment();
    for (NodeState node : moment.view().nodes().values()) {
      if (node.enginesUntold()) {
        silent.add(new Views.Silent(node.id(), node.reason()));
      }
      if (node.sample() != null) {
        for (EngineSample engine : node.sample().engines()) {
          if (!engine.told()) {
            silent.add(new Views.Silent(node.id(), engine.problem()));
          }
          for (DiskSample disk : engine.disks()) {
            queues.add(new Views.Queue(node.id(), engine.id(), disk));
          }
        }
      }
    }
    return new Views.Queues(moment.view().timeMs(), queues, silent);
  }

  private Views.Cache cache(Call call) throws ApiException {
    if (!call.viewer().all()) {
      throw new ApiException(
          403, "paths of data sets are shown to those who see all (" + ConsoleKeys.ACL_VIEW + ")");
    }
    Moment moment = recorder.moment();
    List<Views.Slave> slaves = new ArrayList<>();
    for (NodeState node : moment.view().nodes().values()) {
      boolean expected = node.dataNode() != null && !node.cacheUntold().isEmpty();
      if (node.cache() != null || expected) {
        slaves.add(new Views.Slave(node.id(), node.cache(), node.cacheUntold()));
      }
    }
    return new Views.Cache(moment.view().timeMs(), moment.view().cacheMaster(), slaves);
  }
}
