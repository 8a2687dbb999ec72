// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.mammoth.console.model.DiskSample;
import org.mammoth.console.model.ElementSample;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.NodeSample;
import org.mammoth.console.model.TaskSample;

/**
 * From the NodeManager's bean to the console's model (docs/engine-json.md): with {@link
 * MemoryAdapter} and {@link DecisionAdapter} the only code that knows its names. What a version of
 * the engine does not report is 0 or empty.
 */
final class EngineAdapter {

  static final String BEAN = "/jmx?get=Mammoth:service=NodeManager,name=Engines::";
  static final String SNAPSHOT = BEAN + "Snapshot";

  /** The version of the format this console understands. */
  private static final int VERSION = 1;

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The node's engines, or null if the NodeManager has no such bean.
   *
   * @param rates of this node
   * @throws IllegalArgumentException if the answer is of another kind or version
   */
  NodeSample parse(JsonNode answer, HostRates rates, long nowMs) {
    JsonNode snapshot = attribute(answer, "Snapshot");
    return snapshot == null ? null : node(snapshot, rates, nowMs);
  }

  /** The JSON inside an attribute of the only bean of a page; null if there is no bean. */
  static JsonNode attribute(JsonNode answer, String name) {
    if (!answer.path("beans").isArray()) {
      throw new IllegalArgumentException("the page has no list of beans");
    }
    JsonNode text = answer.path("beans").path(0).path(name);
    if (!text.isTextual()) {
      return null;
    }
    JsonNode value;
    try {
      value = JSON.readTree(text.asText());
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the attribute " + name + " is no JSON", e);
    }
    if (value.path("version").asInt() > VERSION) {
      throw new IllegalArgumentException(
          "it reports in version "
              + value.path("version").asInt()
              + " of the format; this console understands "
              + VERSION
              + ": upgrade the console");
    }
    return value;
  }

  private static NodeSample node(JsonNode node, HostRates rates, long nowMs) {
    JsonNode fallbacks = node.path("fallbacks");
    return new NodeSample(
        nowMs,
        node.path("atMs").asLong(),
        node.path("enabled").asBoolean(),
        node.path("shareMb").asLong(),
        node.path("admittedMb").asLong(),
        node.path("admittedTasks").asLong(),
        fallbacks.path("total").asLong(),
        counts(fallbacks.path("byReason")),
        list(
            fallbacks.path("last"),
            last ->
                new NodeSample.Fallback(
                    last.path("atMs").asLong(),
                    text(last, "container"),
                    text(last, "task"),
                    text(last, "reason"))),
        list(
            node.path("ended"),
            end ->
                new NodeSample.Ended(
                    text(end, "engineId"),
                    end.path("lostContainers").asLong(),
                    text(end, "reason"))),
        rates.take(node),
        list(node.path("engines"), EngineAdapter::engine));
  }

  private static EngineSample engine(JsonNode engine) {
    JsonNode snapshot = engine.path("snapshot");
    JsonNode send = snapshot.path("send");
    return new EngineSample(
        text(engine, "engineId"),
        text(engine, "user"),
        engine.path("pid").asLong(),
        text(engine, "role"),
        engine.path("open").asBoolean(),
        engine.path("ageMs").asLong(-1),
        text(engine, "problem"),
        text(snapshot, "draining"),
        snapshot.path("startedMs").asLong(),
        counted(snapshot.path("counts")),
        jvm(snapshot.path("jvm")),
        MemoryAdapter.memory(snapshot.path("memory")),
        elements(snapshot.path("elements")),
        new EngineSample.SendSample(
            send.path("outputs").asLong(),
            send.path("heldOutputs").asLong(),
            send.path("heldBytes").asLong(),
            send.path("fileBytes").asLong()),
        list(snapshot.path("disks"), EngineAdapter::disk),
        list(snapshot.path("tasks"), EngineAdapter::task));
  }

  private static EngineSample.Counts counted(JsonNode counts) {
    return new EngineSample.Counts(
        counts.path("running").asLong(),
        counts.path("started").asLong(),
        counts.path("finished").asLong(),
        counts.path("killed").asLong(),
        counts.path("failed").asLong(),
        counts.path("aborted").asLong(),
        counts.path("lingering").asLong());
  }

  private static EngineSample.Jvm jvm(JsonNode jvm) {
    return new EngineSample.Jvm(
        jvm.path("heapUsedBytes").asLong(),
        jvm.path("heapCommittedBytes").asLong(),
        jvm.path("heapMaxBytes").asLong(),
        jvm.path("directBytes").asLong(),
        jvm.path("residentBytes").asLong(),
        jvm.path("metaspaceBytes").asLong(),
        jvm.path("gcCount").asLong(),
        jvm.path("gcMs").asLong(),
        jvm.path("threads").asLong(),
        jvm.path("loadedClasses").asLong());
  }

  private static ElementSample elements(JsonNode elements) {
    return new ElementSample(
        elements.path("slabBytes").asLong(),
        elements.path("slabs").asLong(),
        elements.path("lentSlabs").asLong(),
        list(
            elements.path("maps"),
            map ->
                new ElementSample.Share(
                    text(map, "attempt"), text(map, "job"), map.path("slabs").asLong())));
  }

  private static TaskSample task(JsonNode task) {
    String attempt = text(task, "attempt");
    return new TaskSample(
        attempt,
        text(task, "job"),
        text(task, "user"),
        attempt.contains("_m_") ? "MAP" : attempt.contains("_r_") ? "REDUCE" : "",
        text(task, "phase"),
        text(task, "container"),
        task.path("memoryMb").asLong(),
        task.path("sinceMs").asLong(),
        text(task, "merge"));
  }

  private static DiskSample disk(JsonNode disk) {
    return new DiskSample(
        text(disk, "disk"),
        disk.path("inFlight").asInt(),
        disk.path("longestInFlightMs").asLong(),
        list(
            disk.path("dirs"),
            dir ->
                new DiskSample.Dir(
                    text(dir, "path"),
                    text(dir, "state"),
                    text(dir, "reason"),
                    dir.path("retryInMs").asLong())),
        list(
            disk.path("lanes"),
            lane ->
                new DiskSample.Lane(
                    text(lane, "ioClass"),
                    text(lane, "direction"),
                    lane.path("files").asInt(),
                    lane.path("depthUnits").asLong(),
                    lane.path("heldBytes").asLong(),
                    lane.path("oldestAgeMs").asLong(),
                    lane.path("totalBytes").asLong(),
                    lane.path("bytesPerSecond").asDouble(),
                    lane.path("errors").asLong())));
  }

  /** A text field; null and absent are empty. */
  static String text(JsonNode object, String field) {
    JsonNode value = object.path(field);
    return value.isNull() ? "" : value.asText("");
  }

  static <T> List<T> list(JsonNode array, Function<JsonNode, T> each) {
    List<T> made = new ArrayList<>(array.size());
    for (JsonNode element : array) {
      made.add(each.apply(element));
    }
    return made;
  }

  static Map<String, Long> counts(JsonNode object) {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (Iterator<Map.Entry<String, JsonNode>> i = object.fields(); i.hasNext(); ) {
      Map.Entry<String, JsonNode> field = i.next();
      counts.put(field.getKey(), field.getValue().asLong());
    }
    return counts;
  }
}
