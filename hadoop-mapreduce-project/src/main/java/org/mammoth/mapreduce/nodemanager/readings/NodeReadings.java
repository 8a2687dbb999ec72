// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.readings;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.mammoth.api.status.EngineDecisions;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.api.status.NodeDecisions;
import org.mammoth.api.status.NodeSnapshot;
import org.mammoth.api.status.StatusJson;

/**
 * Reads the node's engines for whoever looks at the NodeManager. All engines are asked at the same
 * time, so no reader waits longer than for one. Thread-safe.
 */
public final class NodeReadings {

  /** How the NodeManager's own part of the snapshot is read. */
  public interface Frame {

    /** The node's part; {@code engines} belongs into it. */
    NodeSnapshot around(long atMs, List<NodeSnapshot.Engine> engines);
  }

  private final Supplier<? extends List<? extends ReadableEngine>> tasks;
  private final Supplier<? extends List<? extends ReadableEngine>> appMasters;
  private final Frame frame;
  private final Executor executor;
  private final Clock clock;
  private final LongSupplier nanos;
  private final StatusJson json = new StatusJson();

  @GuardedBy("watches")
  private final Map<String, EngineWatch> watches = new LinkedHashMap<>();

  public NodeReadings(
      Supplier<? extends List<? extends ReadableEngine>> tasks,
      Supplier<? extends List<? extends ReadableEngine>> appMasters,
      Frame frame,
      Executor executor,
      Clock clock,
      LongSupplier nanos) {
    this.tasks = tasks;
    this.appMasters = appMasters;
    this.frame = frame;
    this.executor = executor;
    this.clock = clock;
    this.nanos = nanos;
  }

  /** A {@link NodeSnapshot} as JSON. */
  String snapshotJson() {
    return json.write(snapshot());
  }

  /** {@link NodeDecisions} as JSON, with at most the last {@code atMost} of each engine. */
  public String decisionsJson(int atMost) {
    return json.write(decisions(atMost));
  }

  public NodeSnapshot snapshot() {
    List<? extends ReadableEngine> running = tasks.get();
    List<? extends ReadableEngine> hosts = appMasters.get();
    List<EngineWatch> watched = watches(running, hosts);
    watched.forEach(EngineWatch::begin);
    List<NodeSnapshot.Engine> rows = new ArrayList<>();
    for (EngineWatch watch : watched) {
      rows.add(
          row(
              watch,
              rows.size() < running.size()
                  ? NodeSnapshot.Engine.TASKS
                  : NodeSnapshot.Engine.APP_MASTERS));
    }
    return frame.around(clock.millis(), rows);
  }

  private static NodeSnapshot.Engine row(EngineWatch watch, String role) {
    CachedFetch.Known<EngineWatch.Reading> known = watch.read();
    ReadableEngine engine = watch.engine();
    return new NodeSnapshot.Engine(
        engine.engineId(),
        engine.user(),
        engine.pid(),
        role,
        engine.isOpen(),
        known.ageMs(),
        known.problem(),
        known.value() == null ? null : known.value().snapshot());
  }

  NodeDecisions decisions(int atMost) {
    List<NodeDecisions.Engine> rows = new ArrayList<>();
    for (EngineWatch watch : askTasks()) {
      CachedFetch.Known<EngineWatch.Reading> known = watch.read();
      EngineWatch.Reading reading = known.value();
      List<EngineDecisions.Decision> all = reading == null ? List.of() : reading.decisions();
      rows.add(
          new NodeDecisions.Engine(
              watch.engine().engineId(),
              watch.engine().user(),
              known.ageMs(),
              known.problem(),
              reading == null ? 0 : reading.next(),
              all.subList(Math.max(0, all.size() - atMost), all.size())));
    }
    return new NodeDecisions(StatusJson.VERSION, clock.millis(), rows);
  }

  /** What is known of the engines that run tasks, for metrics. */
  public List<EngineSnapshot> engines() {
    return askTasks().stream()
        .map(watch -> watch.read().value())
        .filter(Objects::nonNull)
        .map(EngineWatch.Reading::snapshot)
        .toList();
  }

  private List<EngineWatch> askTasks() {
    List<? extends ReadableEngine> running = tasks.get();
    List<EngineWatch> watched = watches(running, appMasters.get()).subList(0, running.size());
    watched.forEach(EngineWatch::begin);
    return watched;
  }

  /** Those of the given engines in their order; what was known of any other is forgotten. */
  private List<EngineWatch> watches(
      List<? extends ReadableEngine> running, List<? extends ReadableEngine> hosts) {
    List<ReadableEngine> engines = new ArrayList<>(running);
    engines.addAll(hosts);
    List<EngineWatch> all = new ArrayList<>();
    synchronized (watches) {
      for (ReadableEngine engine : engines) {
        all.add(
            watches.computeIfAbsent(
                engine.engineId(), id -> new EngineWatch(engine, json, executor, nanos)));
      }
      watches.values().retainAll(all);
    }
    return all;
  }
}
