// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.mammoth.upgrade.fleet.Payload;
import org.mammoth.upgrade.fleet.Remote;
import org.mammoth.upgrade.fleet.Rollout;

/** Asks all hosts a question whose answer is a line of JSON. */
final class FleetReports {

  private static final int SHOWN = 8;

  private FleetReports() {}

  /**
   * Answers by host; one that gave none has a field {@code error} that says why.
   *
   * @param words of the command
   * @param first words for the first host only
   */
  static Map<String, JsonNode> ask(
      NodeOptions node,
      FleetOptions fleet,
      List<String> words,
      List<String> first,
      ObjectMapper json)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(words);
    arguments.addAll(node.words());
    List<String> hosts = fleet.hosts();
    Map<String, Long> asked = new ConcurrentHashMap<>();
    Map<String, Long> answered = new ConcurrentHashMap<>();
    try (Payload payload = Payload.of(NodeOptions.base())) {
      Remote remote = new Remote(fleet.ssh(), payload);
      Map<String, Remote.Answer> answers =
          Rollout.visit(
              hosts,
              fleet.parallel(),
              true,
              (host, isFirst) -> {
                asked.put(host, System.currentTimeMillis());
                List<String> all = new ArrayList<>(arguments);
                all.addAll(host.equals(hosts.get(0)) ? first : List.of());
                Remote.Answer answer = remote.run(host, all, line -> {});
                answered.put(host, System.currentTimeMillis());
                return answer;
              });
      Map<String, JsonNode> read = new TreeMap<>();
      answers.forEach(
          (host, answer) -> {
            ObjectNode report = read(answer, json);
            report.put("askedMs", asked.getOrDefault(host, 0L));
            report.put("answeredMs", answered.getOrDefault(host, 0L));
            read.put(host, report);
          });
      return read;
    }
  }

  private static ObjectNode read(Remote.Answer answer, ObjectMapper json) {
    for (String line : answer.lines()) {
      if (line.startsWith("{")) {
        try {
          return (ObjectNode) json.readTree(line);
        } catch (JsonProcessingException | ClassCastException e) {
          continue;
        }
      }
    }
    String said = String.join("; ", answer.lines());
    return json.createObjectNode()
        .put(
            "error",
            (answer.isReached() ? "" : "cannot be reached: ")
                + (answer.isLost() ? "reached, then the connection broke: " : "")
                + (said.isEmpty() ? "exit status " + answer.status() : said));
  }

  /** Some hosts by name, all of them in one word. */
  static String names(List<String> hosts, int all) {
    if (hosts.size() == all && all > 1) {
      return "all " + all + " hosts";
    }
    return String.join(" ", hosts.subList(0, Math.min(SHOWN, hosts.size())))
        + (hosts.size() > SHOWN ? " and " + (hosts.size() - SHOWN) + " more" : "");
  }
}
