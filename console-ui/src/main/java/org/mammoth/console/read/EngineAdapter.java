// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.mammoth.api.Beans;
import org.mammoth.api.status.DiskUse;
import org.mammoth.api.status.ElementUse;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.api.status.NodeSnapshot;
import org.mammoth.api.status.SendUse;
import org.mammoth.api.status.StatusJson;
import org.mammoth.console.model.DiskSample;
import org.mammoth.console.model.ElementSample;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.TaskSample;

/**
 * From the NodeManager's bean to the console's model, which its own interface and page show. What a
 * version of the engine does not report is 0 or empty.
 */
final class EngineAdapter {

  static final String SNAPSHOT = Beans.page(Beans.READINGS, Beans.SNAPSHOT);

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final StatusJson STATUS = new StatusJson();

  // What an engine is known by that has not told anything, or not that.
  private static final EngineSnapshot NOTHING = none(EngineSnapshot.class);
  private static final EngineSnapshot.Counts NO_COUNTS = none(EngineSnapshot.Counts.class);
  private static final EngineSnapshot.Jvm NO_JVM = none(EngineSnapshot.Jvm.class);
  private static final ElementUse NO_ELEMENTS = none(ElementUse.class);
  private static final SendUse NO_SEND = none(SendUse.class);
  private static final NodeSnapshot.Fallbacks NO_FALLBACKS = none(NodeSnapshot.Fallbacks.class);

  /**
   * The node's engines, or null if the NodeManager has no such bean.
   *
   * @param rates of this node
   * @throws IllegalArgumentException if the answer is of another kind or version
   */
  NodeSample parse(JsonNode answer, HostRates rates, long nowMs) {
    NodeSnapshot snapshot = attribute(answer, Beans.SNAPSHOT, NodeSnapshot.class);
    return snapshot == null ? null : node(snapshot, rates, nowMs);
  }

  /** The record inside an attribute of the only bean of a page; null if there is no bean. */
  static <T> T attribute(JsonNode answer, String name, Class<T> type) {
    if (!answer.path("beans").isArray()) {
      throw new IllegalArgumentException("the page has no list of beans");
    }
    JsonNode text = answer.path("beans").path(0).path(name);
    if (!text.isTextual()) {
      return null;
    }
    try {
      // The version first: what a later one writes may be no such record at all.
      JsonNode value = JSON.readTree(text.asText());
      int version = value.path("version").asInt();
      if (version > StatusJson.VERSION) {
        throw new IllegalArgumentException(
            "it reports in version "
                + version
                + " of the format; this console understands "
                + StatusJson.VERSION
                + ": upgrade the console");
      }
      return STATUS.read(value, type);
    } catch (IOException e) {
      throw new IllegalArgumentException("the attribute " + name + " cannot be read", e);
    }
  }

  private static NodeSample node(NodeSnapshot node, HostRates rates, long nowMs) {
    NodeSnapshot.Fallbacks fallbacks = or(node.fallbacks(), NO_FALLBACKS);
    return new NodeSample(
        nowMs,
        node.atMs(),
        node.enabled(),
        node.shareMb(),
        node.admittedMb(),
        node.admittedTasks(),
        fallbacks.total(),
        fallbacks.byReason(),
        list(
            fallbacks.last(),
            last ->
                new NodeSample.Fallback(last.atMs(), last.container(), last.task(), last.reason())),
        list(
            node.ended(),
            end -> new NodeSample.Ended(end.engineId(), end.lostContainers(), end.reason())),
        rates.take(node.host(), node.atMs()),
        list(node.engines(), EngineAdapter::engine));
  }

  private static EngineSample engine(NodeSnapshot.Engine engine) {
    EngineSnapshot snapshot = or(engine.snapshot(), NOTHING);
    SendUse send = or(snapshot.send(), NO_SEND);
    return new EngineSample(
        engine.engineId(),
        engine.user(),
        engine.pid(),
        engine.role(),
        engine.open(),
        engine.ageMs(),
        engine.problem(),
        snapshot.draining(),
        snapshot.startedMs(),
        counted(or(snapshot.counts(), NO_COUNTS)),
        jvm(or(snapshot.jvm(), NO_JVM)),
        MemoryAdapter.memory(snapshot.memory()),
        elements(or(snapshot.elements(), NO_ELEMENTS)),
        new EngineSample.SendSample(
            send.outputs(), send.heldOutputs(), send.heldBytes(), send.fileBytes()),
        list(snapshot.disks(), EngineAdapter::disk),
        list(snapshot.tasks(), EngineAdapter::task));
  }

  private static EngineSample.Counts counted(EngineSnapshot.Counts counts) {
    return new EngineSample.Counts(
        counts.running(),
        counts.started(),
        counts.finished(),
        counts.killed(),
        counts.failed(),
        counts.aborted(),
        counts.lingering());
  }

  private static EngineSample.Jvm jvm(EngineSnapshot.Jvm jvm) {
    return new EngineSample.Jvm(
        jvm.heapUsedBytes(),
        jvm.heapCommittedBytes(),
        jvm.heapMaxBytes(),
        jvm.directBytes(),
        jvm.residentBytes(),
        jvm.metaspaceBytes(),
        jvm.gcCount(),
        jvm.gcMs(),
        jvm.threads(),
        jvm.loadedClasses());
  }

  private static ElementSample elements(ElementUse elements) {
    return new ElementSample(
        elements.slabBytes(),
        elements.slabs(),
        elements.lentSlabs(),
        list(
            elements.maps(),
            map -> new ElementSample.Share(map.attempt(), map.job(), map.slabs())));
  }

  private static TaskSample task(EngineSnapshot.Task task) {
    String attempt = task.attempt();
    return new TaskSample(
        attempt,
        task.job(),
        task.user(),
        attempt.contains("_m_") ? "MAP" : attempt.contains("_r_") ? "REDUCE" : "",
        task.phase(),
        task.container(),
        task.memoryMb(),
        task.sinceMs(),
        task.merge(),
        task.programs(),
        task.programBytes());
  }

  private static DiskSample disk(DiskUse disk) {
    return new DiskSample(
        disk.disk(),
        disk.inFlight(),
        disk.longestInFlightMs(),
        list(
            disk.dirs(),
            dir -> new DiskSample.Dir(dir.path(), dir.state(), dir.reason(), dir.retryInMs())),
        list(
            disk.lanes(),
            lane ->
                new DiskSample.Lane(
                    lane.ioClass(),
                    lane.direction(),
                    lane.files(),
                    lane.depthUnits(),
                    lane.heldBytes(),
                    lane.oldestAgeMs(),
                    lane.totalBytes(),
                    lane.bytesPerSecond(),
                    lane.errors())));
  }

  private static <T> T none(Class<T> type) {
    return STATUS.ofNumbers(Map.of(), type);
  }

  private static <T> T or(T told, T none) {
    return told == null ? none : told;
  }

  static <F, T> List<T> list(List<F> told, Function<F, T> each) {
    return told.stream().map(each).toList();
  }
}
