// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import static org.mammoth.console.read.EngineAdapter.list;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.mammoth.api.status.EngineDecisions;
import org.mammoth.api.status.NodeDecisions;
import org.mammoth.console.model.Decision;

/** From a node's decisions to the console's model. */
final class DecisionAdapter {

  private DecisionAdapter() {}

  /** One engine's log: what it still has, in the order of the numbers. */
  record Log(String engine, long next, List<Decision> decisions) {}

  static List<Log> parse(JsonNode answer, String attribute) {
    NodeDecisions node = EngineAdapter.attribute(answer, attribute, NodeDecisions.class);
    if (node == null) {
      return List.of();
    }
    return list(
        node.engines(),
        engine ->
            new Log(
                engine.engineId(),
                engine.next(),
                list(engine.decisions(), decision -> decision(engine.engineId(), decision))));
  }

  private static Decision decision(String engine, EngineDecisions.Decision decision) {
    return new Decision(
        engine,
        decision.sequence(),
        decision.atMs(),
        decision.action(),
        decision.attempt(),
        decision.job(),
        decision.user(),
        decision.kind(),
        decision.bytes(),
        decision.rule(),
        decision.victimJob(),
        decision.victim(),
        decision.waitedMs());
  }
}
