// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.mammoth.api.Beans;
import org.mammoth.api.status.CacheReport;
import org.mammoth.api.status.CacheSpace;
import org.mammoth.api.status.StatusJson;
import org.mammoth.console.model.CacheMasterSample;
import org.mammoth.console.model.CacheSample;

/** From the cache's beans to the console's model: the only class that knows their attributes. */
final class CacheAdapter {

  static final String SLAVE_PATH = Beans.wholePage("DataNode", Beans.CACHE_SLAVE);
  static final String MASTER_PATH = Beans.wholePage("NameNode", Beans.CACHE_MASTER);

  private final StatusJson status = new StatusJson();

  /**
   * The slave's state, none if the DataNode has no cache, untold if the cache tells no space yet.
   */
  NodeReader.Slave slave(JsonNode answer, long nowMs) {
    JsonNode bean = bean(answer);
    if (!bean.isObject()) {
      return NodeReader.Slave.NONE;
    }
    CacheSpace space = status.ofNumbers(table(bean.path("Space")), CacheSpace.class);
    if (space.inputCapacity() < 0) {
      return new NodeReader.Slave(null, "the DataNode: its SSD cache does not tell its space yet");
    }
    return new NodeReader.Slave(sample(bean, space, nowMs), "");
  }

  private static CacheSample sample(JsonNode bean, CacheSpace space, long nowMs) {
    long lent = space.poolLent();
    return new CacheSample(
        nowMs,
        Math.max(0, space.inputCapacity() - (space.pool() - lent)),
        space.pool(),
        Math.max(0, space.localizedCapacity() - lent),
        lent,
        space.inputUsed(),
        space.localizedUsed(),
        space.localizedRefused() == null ? 0 : space.localizedRefused(),
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
    CacheReport report;
    try {
      report = status.read(bean.path("Report").asText("{}"), CacheReport.class);
    } catch (IOException e) {
      throw new IllegalArgumentException("what the cache's master reports cannot be read", e);
    }
    if (report.rounds() < 0) {
      return null;
    }
    return new CacheMasterSample(
        nowMs,
        report.policy(),
        report.knownDataSets(),
        report.cachedDataSets(),
        report.completeDataSets(),
        report.hits(),
        report.misses(),
        report.rounds(),
        report.roundsComplete(),
        report.refusals());
  }

  private static JsonNode bean(JsonNode answer) {
    if (!answer.path("beans").isArray()) {
      throw new IllegalArgumentException("the page has no list of beans");
    }
    return answer.path("beans").path(0);
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
