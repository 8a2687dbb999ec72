package org.mammoth.console.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import org.mammoth.console.model.CacheMasterSample;
import org.mammoth.console.model.CacheSample;

/**
 * From the cache's beans to the console's model: the only class that knows their names. Beans whose
 * attribute {@code View} holds the JSON text of the master's or the slave's state.
 */
final class CacheAdapter {

  static final String SLAVE_PATH = "/jmx?qry=Mammoth:service=DataNode,name=*";
  static final String MASTER_PATH = "/jmx?qry=Mammoth:service=NameNode,name=*";

  private final ObjectMapper json = new ObjectMapper();

  /** The slave's state, or null if the DataNode has no cache. */
  CacheSample slave(JsonNode answer, long nowMs) {
    JsonNode view = view(answer);
    if (view == null) {
      return null;
    }
    JsonNode space = view.has("space") ? view.path("space") : view;
    JsonNode shares = space.path("shares");
    long block = shares.path("blockBytes").asLong();
    return new CacheSample(
        nowMs,
        shares.path("inputBytes").asLong(),
        shares.path("poolBlocks").asLong() * block,
        shares.path("localizedBytes").asLong(),
        space.path("lentBlocks").asLong() * block,
        space.path("inputUsed").asLong(),
        space.path("localizedUsed").asLong(),
        space.path("refused").asLong(),
        view.path("hits").asLong(),
        view.path("misses").asLong(),
        view.path("hitBytes").asLong(),
        view.path("missBytes").asLong());
  }

  /** The master's state, or null if the NameNode has no cache. */
  CacheMasterSample master(JsonNode answer, long nowMs) {
    JsonNode view = view(answer);
    if (view == null) {
      return null;
    }
    List<CacheMasterSample.DataSet> sets = new ArrayList<>();
    for (JsonNode set : view.path("sets")) {
      sets.add(
          new CacheMasterSample.DataSet(
              set.path("path").asText(),
              set.path("blocks").asInt(),
              set.path("cachedBlocks").asInt(),
              set.path("copyBytes").asLong(),
              set.path("accesses").asLong(),
              set.path("pinned").asBoolean(),
              set.path("priority").asDouble(),
              set.path("admission").asText()));
    }
    return new CacheMasterSample(
        nowMs,
        view.path("policy").asText(),
        view.path("knownSets").asInt(),
        view.path("cachedSets").asInt(),
        view.path("completeSets").asInt(),
        view.path("hits").asLong(),
        view.path("misses").asLong(),
        view.path("rounds").asLong(),
        view.path("roundsComplete").asLong(),
        EngineAdapter.counts(view.path("refusals")),
        sets);
  }

  private JsonNode view(JsonNode answer) {
    if (!answer.path("beans").isArray()) {
      throw new IllegalArgumentException("the page has no list of beans");
    }
    for (JsonNode bean : answer.path("beans")) {
      if (bean.hasNonNull("View")) {
        try {
          return json.readTree(bean.path("View").asText());
        } catch (JsonProcessingException e) {
          throw new IllegalArgumentException("View of " + bean.path("name") + " is no JSON", e);
        }
      }
    }
    return null;
  }
}
