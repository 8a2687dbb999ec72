// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.cli;

import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.mammoth.api.status.EngineDecisions.Decision;
import org.mammoth.api.status.NodeDecisions;

/**
 * Decisions of the engines as text. Keeps what it has printed, so that repeated readings are
 * followed without gaps or repetitions. Not thread-safe.
 */
final class DecisionReports {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  /** A decision, and whose it is. */
  record Told(String node, String engineId, Decision decision) {}

  private final ZoneId zone;

  /** Number of the last decision told, by node and engine. */
  private final Map<String, Long> told = new HashMap<>();

  /** The newest decision of each engine, held back as it may still grow. */
  private final Map<String, Decision> newest = new HashMap<>();

  DecisionReports(ZoneId zone) {
    this.zone = zone;
  }

  /** All of a node, as one reading. */
  static List<Told> all(String node, NodeDecisions reading) {
    List<Told> all = new ArrayList<>();
    for (NodeDecisions.Engine engine : reading.engines()) {
      engine.decisions().forEach(one -> all.add(new Told(node, engine.engineId(), one)));
    }
    return all;
  }

  /**
   * What is new in a reading. An engine's newest decision comes when it has a successor, or has not
   * changed since the reading before.
   */
  List<Told> fresh(String node, NodeDecisions reading) {
    List<Told> fresh = new ArrayList<>();
    for (NodeDecisions.Engine engine : reading.engines()) {
      String key = node + " " + engine.engineId();
      for (Decision decision : engine.decisions()) {
        boolean last = decision.sequence() == engine.next() - 1;
        boolean settled = !last || decision.equals(newest.put(key, decision));
        if (settled && decision.sequence() > told.getOrDefault(key, -1L)) {
          told.put(key, decision.sequence());
          fresh.add(new Told(node, engine.engineId(), decision));
        }
      }
    }
    return fresh;
  }

  /** Prints a table. */
  void print(PrintWriter out, List<Told> decisions) {
    TextTable table =
        new TextTable(
            "TIME", "NODE", "NUMBER", "ACTION", "BYTES", "KIND", "RULE", "WHO", "VICTIM", "WAITED");
    decisions.forEach(told -> table.row((Object[]) cells(told)));
    table.print(out, "");
  }

  /** Prints a decision on a line of its own, in the columns of the table but of fixed width. */
  void printLine(PrintWriter out, Told told) {
    String[] cells = cells(told);
    out.println(
        String.format(
                Locale.ROOT, "%s  %s  %6s  %-6s  %10s  %-7s  %-10s  %s  %s  %s", (Object[]) cells)
            .stripTrailing());
  }

  private String[] cells(Told told) {
    Decision decision = told.decision();
    return new String[] {
      TIME.format(Instant.ofEpochMilli(decision.atMs()).atZone(zone)),
      told.node(),
      String.valueOf(decision.sequence()),
      decision.action(),
      Units.bytes(decision.bytes()),
      decision.kind(),
      decision.rule(),
      decision.attempt().isEmpty() ? "(scheduler)" : decision.attempt(),
      decision.victim().isEmpty() ? "-" : decision.victim(),
      decision.waitedMs() == 0 ? "-" : Units.time(decision.waitedMs())
    };
  }
}
