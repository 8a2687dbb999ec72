// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashMap;
import java.util.Map;
import org.mammoth.console.model.CacheMasterSample;
import org.mammoth.console.model.CacheSample;

/** From the cache's beans to the console's model: the only class that knows their names. */
final class CacheAdapter {

  static final String SLAVE_PATH = "/jmx?qry=Hadoop:service=DataNode,name=MpCacheSlave";
  static final String MASTER_PATH = "/jmx?qry=Hadoop:service=NameNode,name=MpCacheMaster";

  private final ObjectMapper json = new ObjectMapper();

  /**
   * The slave's state, none if the DataNode has no cache, untold if the cache tells no space yet.
   */
  NodeReader.Slave slave(JsonNode answer, long nowMs) {
    JsonNode bean = bean(answer);
    if (!bean.isObject()) {
      return NodeReader.Slave.NONE;
    }
    Map<String, Long> space = table(bean.path("Space"));
    if (!space.containsKey("inputCapacity")) {
      return new NodeReader.Slave(null, "the DataNode: its SSD cache does not tell its space yet");
    }
    return new NodeReader.Slave(sample(bean, space, nowMs), "");
  }

  private static CacheSample sample(JsonNode bean, Map<String, Long> space, long nowMs) {
    long pool = space.getOrDefault("pool", 0L);
    long lent = space.getOrDefault("poolLent", 0L);
    return new CacheSample(
        nowMs,
        Math.max(0, space.getOrDefault("inputCapacity", 0L) - (pool - lent)),
        pool,
        Math.max(0, space.getOrDefault("localizedCapacity", 0L) - lent),
        lent,
        space.getOrDefault("inputUsed", 0L),
        space.getOrDefault("localizedUsed", 0L),
        space.getOrDefault("localizedRefused", 0L),
        bean.path("Hits").asLong(),
        bean.path("Misses").asLong(),
        bean.path("HitBlockBytes").asLong(),
        bean.path("MissBlockBytes").asLong(),
        bean.path("Copies").asLong(),
        bean.path("FillsWaiting").asLong(),
        table(bean.path("Fills")),
        table(bean.path("Evictions")));
  }

  /** The master's state, or null if the NameNode has none, is not active, or tells nothing yet. */
  CacheMasterSample master(JsonNode answer, long nowMs) {
    JsonNode bean = bean(answer);
    if (!bean.isObject() || !bean.path("Active").asBoolean()) {
      return null;
    }
    JsonNode report = parse(bean.path("Report").asText("{}"));
    if (!report.has("rounds")) {
      return null;
    }
    return new CacheMasterSample(
        nowMs,
        EngineAdapter.text(report, "policy"),
        report.path("knownDataSets").asInt(),
        report.path("cachedDataSets").asInt(),
        report.path("completeDataSets").asInt(),
        report.path("hits").asLong(),
        report.path("misses").asLong(),
        report.path("rounds").asLong(),
        report.path("roundsComplete").asLong(),
        EngineAdapter.counts(report.path("refusals")));
  }

  private static JsonNode bean(JsonNode answer) {
    if (!answer.path("beans").isArray()) {
      throw new IllegalArgumentException("the page has no list of beans");
    }
    return answer.path("beans").path(0);
  }

  private JsonNode parse(String text) {
    try {
      return json.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the cache's master reports no JSON", e);
    }
  }

  /** A map as /jmx writes it: a list of objects with key and value. */
  private static Map<String, Long> table(JsonNode table) {
    Map<String, Long> map = new HashMap<>();
    for (JsonNode entry : table) {
      map.put(entry.path("key").asText(), entry.path("value").asLong());
    }
    return map;
  }
}
