// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ANYONE;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.mammoth.api.collections.LatestMap;
import org.mammoth.api.status.CacheDataSets;
import org.mammoth.api.status.CacheTrace;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.model.CacheSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.order.CacheOrders;
import org.mammoth.console.order.OrderException;
import org.mammoth.mpcache.simulation.SimulationResult;
import org.mammoth.mpcache.simulation.TraceJob;
import org.mammoth.mpcache.simulation.WhatIf;

/**
 * What the cache's master says to the one who asks, by its own permissions: data sets, and the
 * trace of reads, run through other policies and sizes.
 */
final class CacheRoutes {

  /** Most block reads a what-if may simulate, over all its runs. */
  static final long MAX_READS = 4_000_000;

  private static final int MAX_RUNS = 24;
  private static final long FRESH_MS = 5_000;
  private static final int VIEWERS = 200;
  private static final double GIB = 1L << 30;

  private final Recorder recorder;
  private final CacheOrders caches;
  private final Clock clock;
  private final Semaphore oneAtATime = new Semaphore(1);
  private final Map<String, Views.DataSets> latest = LatestMap.byUse(VIEWERS);

  CacheRoutes(Recorder recorder, CacheOrders caches, Clock clock) {
    this.recorder = recorder;
    this.caches = caches;
    this.clock = clock;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/cache/datasets",
            ANYONE,
            "Data sets that HDFS lets the caller read, at most 5 s old: the cached ones, the largest"
                + " first, then the last 200 read of which nothing is cached",
            List.of(),
            Views.DataSets.class,
            this::dataSets),
        new Route(
            "GET",
            "/cache/whatif",
            ANYONE,
            "The recorded reads of data sets the caller may read, the last 2000 at most, simulated"
                + " with other policies and sizes. No more than 24 runs and 4,000,000 block reads"
                + " in all (400), one request at a time (429)",
            List.of(
                new Route.Param(
                    "policies",
                    "string",
                    false,
                    "of " + String.join(", ", WhatIf.policies()) + ", with commas; default all"),
                new Route.Param(
                    "sizes",
                    "string",
                    false,
                    "SSD space of each slave in GiB, with commas; default half, once and twice"
                        + " today's")),
            Views.WhatIf.class,
            this::whatIf));
  }

  private Views.DataSets dataSets(Call call) throws ApiException {
    String user = call.viewer().user();
    synchronized (latest) {
      Views.DataSets known = latest.get(user);
      if (known != null && clock.millis() - known.timeMs() < FRESH_MS) {
        return known;
      }
    }
    List<Views.DataSet> sets = new ArrayList<>();
    CacheDataSets answer;
    try {
      answer = caches.dataSets(user);
    } catch (OrderException e) {
      throw new ApiException(e.status(), e.getMessage());
    }
    answer.dataSets().forEach(set -> sets.add(dataSet(set)));
    answer.absent().forEach(set -> sets.add(dataSet(set)));
    Views.DataSets now = new Views.DataSets(clock.millis(), sets);
    synchronized (latest) {
      latest.put(user, now);
    }
    return now;
  }

  private static Views.DataSet dataSet(CacheDataSets.DataSet set) {
    CacheDataSets.Departure departure = set.departure();
    return new Views.DataSet(
        set.path(),
        set.blocks(),
        set.bytes(),
        set.cachedBlocks(),
        set.copyBytes(),
        set.accesses(),
        set.hits(),
        set.priority(),
        set.pinned(),
        set.admission(),
        departure == null ? "" : departure.cause(),
        departure == null ? "" : departure.by());
  }

  private Views.WhatIf whatIf(Call call) throws ApiException {
    List<String> policies = policies(call);
    List<Double> sizes = sizes(call);
    int runs = policies.size() * sizes.size();
    if (runs > MAX_RUNS) {
      throw new ApiException(400, runs + " runs are asked for; at most " + MAX_RUNS + " are done");
    }
    if (!oneAtATime.tryAcquire()) {
      throw new ApiException(429, "another what-if is being simulated; ask again when it is done");
    }
    try {
      return simulate(trace(call.viewer().user()), policies, sizes, runs);
    } finally {
      oneAtATime.release();
    }
  }

  private Views.WhatIf simulate(
      List<TraceJob> trace, List<String> policies, List<Double> sizes, int runs)
      throws ApiException {
    long reads = trace.stream().mapToLong(TraceJob::blocks).sum();
    if (reads * runs > MAX_READS) {
      throw new ApiException(
          400,
          runs
              + " runs of "
              + reads
              + " block reads each are more than "
              + MAX_READS
              + "; ask for fewer policies or sizes");
    }
    int slaves = Math.max(1, slaves().size());
    List<Views.WhatIfRun> done = new ArrayList<>();
    for (double size : trace.isEmpty() ? List.<Double>of() : sizes) {
      for (String policy : policies) {
        SimulationResult result = WhatIf.run(trace, policy, size, slaves);
        done.add(
            new Views.WhatIfRun(
                policy, size, result.jobHitRate(), result.blockHitRate(), result.completeRate()));
      }
    }
    return new Views.WhatIf(clock.millis(), trace.size(), reads, slaves, done);
  }

  private List<TraceJob> trace(String user) throws ApiException {
    List<TraceJob> trace = new ArrayList<>();
    try {
      for (CacheTrace.Round round : caches.trace(user).rounds()) {
        trace.add(
            new TraceJob(
                "recorded",
                round.path(),
                Math.max(1, round.blocks()),
                Math.max(1, round.blockBytes()),
                0));
      }
    } catch (OrderException e) {
      throw new ApiException(e.status(), e.getMessage());
    }
    return trace;
  }

  private List<String> policies(Call call) throws ApiException {
    if (!call.query().containsKey("policies")) {
      return List.copyOf(WhatIf.policies());
    }
    List<String> asked = List.of(call.text("policies").split(",", -1));
    for (String policy : asked) {
      if (!WhatIf.policies().contains(policy)) {
        throw new ApiException(
            400, "no such policy; there are " + String.join(", ", WhatIf.policies()));
      }
    }
    return asked.stream().distinct().toList();
  }

  private List<Double> sizes(Call call) throws ApiException {
    if (!call.query().containsKey("sizes")) {
      List<CacheSample> slaves = slaves();
      double mean =
          slaves.stream()
              .mapToLong(s -> s.inputBytes() + s.poolBytes() + s.localizedBytes())
              .average()
              .orElse(0);
      double now = mean > 0 ? mean / GIB : 1;
      return List.of(now / 2, now, now * 2);
    }
    List<Double> sizes = new ArrayList<>();
    for (String text : call.text("sizes").split(",", -1)) {
      try {
        double size = Double.parseDouble(text);
        if (!(size >= 0.001 && size <= 1e6)) {
          throw new ApiException(400, "a size is not within 0.001 .. 1000000 GiB");
        }
        sizes.add(size);
      } catch (NumberFormatException e) {
        throw new ApiException(400, "the parameter sizes is no list of numbers");
      }
    }
    return sizes;
  }

  private List<CacheSample> slaves() {
    return recorder.moment().view().nodes().values().stream()
        .map(NodeState::cache)
        .filter(cache -> cache != null)
        .toList();
  }
}
