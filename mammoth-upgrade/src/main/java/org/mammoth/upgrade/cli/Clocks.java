// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Whether the hosts agree what time it is. */
final class Clocks {

  /** Tokens of containers and heartbeats bear more; what people read in logs does not. */
  private static final long WARN_MS = 5_000;

  private Clocks() {}

  /**
   * Adds a finding to each host whose clock differs from this one's. A host has looked at its clock
   * between {@code askedMs} and {@code answeredMs} of this one's.
   */
  static void add(Map<String, JsonNode> answers) {
    answers.forEach(
        (host, answer) -> {
          long now = answer.path("nowMs").asLong();
          long early = answer.path("askedMs").asLong() - now;
          long late = now - answer.path("answeredMs").asLong();
          long off = Math.max(early, late);
          if (now != 0 && off > WARN_MS) {
            ((ArrayNode) answer.path("findings"))
                .add(
                    ((ObjectNode) answer)
                        .objectNode()
                        .put("level", "WARNING")
                        .put("id", "clock")
                        .put(
                            "text",
                            "its clock is "
                                + off / 1_000
                                + " s "
                                + (early > 0 ? "behind" : "before")
                                + " this host's")
                        .put("remedy", "see to its NTP service"));
          }
        });
  }
}
