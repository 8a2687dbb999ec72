// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import static org.mammoth.console.read.EngineAdapter.list;
import static org.mammoth.console.read.EngineAdapter.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.mammoth.console.model.Decision;

/** From NodeDecisions of docs/engine-json.md to the console's model. */
final class DecisionAdapter {

  static final String LATEST = "LatestDecisions";
  static final String ALL = "Decisions";

  private DecisionAdapter() {}

  /** One engine's log: what it still has, in the order of the numbers. */
  record Log(String engine, long next, List<Decision> decisions) {}

  static List<Log> parse(JsonNode answer, String attribute) {
    JsonNode node = EngineAdapter.attribute(answer, attribute);
    if (node == null) {
      return List.of();
    }
    return list(
        node.path("engines"),
        engine -> {
          String id = text(engine, "engineId");
          return new Log(
              id,
              engine.path("next").asLong(),
              list(engine.path("decisions"), decision -> decision(id, decision)));
        });
  }

  private static Decision decision(String engine, JsonNode decision) {
    return new Decision(
        engine,
        decision.path("sequence").asLong(),
        decision.path("atMs").asLong(),
        text(decision, "action"),
        text(decision, "attempt"),
        text(decision, "job"),
        text(decision, "user"),
        text(decision, "kind"),
        decision.path("bytes").asLong(),
        text(decision, "rule"),
        text(decision, "victimJob"),
        text(decision, "victim"),
        decision.path("waitedMs").asLong());
  }
}
