// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.mammoth.upgrade.node.LocalNodeManager;
import org.mammoth.upgrade.node.LocalOptions;
import org.mammoth.upgrade.node.NodeStatus;
import org.mammoth.upgrade.tree.HadoopTree;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mammoth-upgrade status}. */
@Command(
    name = "status",
    description = "Shows what a node, or each host of a list, has and runs.",
    mixinStandardHelpOptions = true,
    footerHeading = "%n",
    footer = {
      "STATE     stock, mammoth, between (a run is not complete), down (no NodeManager runs) or by"
          + " hand (an add-on was unpacked over the installation)",
      "RUNS      what the NodeManager runs: a release of Mammoth, or stock",
      "ENGINES   engines and hosts of ApplicationMasters; MIB: their resident memory together",
      "FALLBACKS tasks that got a process since the NodeManager started",
      "",
      "Exit status: 0; 1 when a node is not well, between or down; 2 for a wrong command line."
    })
final class StatusCommand implements Callable<Integer> {

  private static final Set<String> WELL = Set.of("STOCK", "MAMMOTH", "BY_HAND");
  private static final String ROW = "%-16s %-8s %-7s %-20s %8s %7s %6s %10s%n";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Mixin private NodeOptions node;
  @Mixin private FleetOptions fleet;

  @Option(names = "--json", description = "For programs.")
  private boolean asJson;

  private final ObjectMapper json = new ObjectMapper();

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (!fleet.isFleet()) {
      HadoopTree tree = node.tree();
      NodeStatus status =
          NodeStatus.look(tree, new LocalNodeManager(tree, new LocalOptions("", "")));
      JsonNode report = json.valueToTree(status);
      if (asJson) {
        out.println(json.writeValueAsString(report));
      } else {
        print(out, Map.of("this node", report));
      }
      out.flush();
      return isWell(report) ? 0 : 1;
    }
    Map<String, JsonNode> answers =
        FleetReports.ask(node, fleet, List.of("status", "--json"), List.of(), json);
    if (asJson) {
      out.println(json.writerWithDefaultPrettyPrinter().writeValueAsString(answers));
    } else {
      print(out, answers);
      mix(out, answers);
    }
    out.flush();
    return answers.values().stream().allMatch(StatusCommand::isWell) ? 0 : 1;
  }

  private static boolean isWell(JsonNode report) {
    String state = report.path("state").asText();
    return WELL.contains(state)
        && report.path("complaint").asText().isEmpty()
        && report.path("unfinished").asText().isEmpty();
  }

  private static void print(PrintWriter out, Map<String, JsonNode> reports) {
    out.printf(ROW, "NODE", "STATE", "HADOOP", "RUNS", "ENGINES", "MIB", "TASKS", "FALLBACKS");
    reports.forEach(
        (host, report) -> {
          if (report.has("error")) {
            out.printf("%-16s %s%n", host, report.path("error").asText());
            return;
          }
          long fallbacks = report.path("fallbacks").asLong();
          out.printf(
              ROW,
              host,
              report.path("state").asText().toLowerCase(Locale.ROOT).replace('_', ' '),
              report.path("hadoop").asText(),
              report.path("running").asText("-"),
              report.path("engines").asText(),
              report.path("engineMb").asText(),
              report.path("tasks").asText(),
              fallbacks < 0 ? "-" : String.valueOf(fallbacks));
          line(out, "not well", report.path("complaint"));
          line(out, "not complete", report.path("unfinished"));
          line(out, "->", report.path("advice"));
        });
  }

  private static void line(PrintWriter out, String begin, JsonNode text) {
    if (!text.asText().isEmpty()) {
      out.println("    " + begin + " " + text.asText());
    }
  }

  private static void mix(PrintWriter out, Map<String, JsonNode> reports) {
    Map<String, Integer> byRelease = new TreeMap<>();
    reports
        .values()
        .forEach(
            report -> {
              String runs = report.path("running").asText();
              String name =
                  report.has("error") ? "not reached" : runs.isEmpty() ? "no NodeManager" : runs;
              byRelease.merge(name, 1, Integer::sum);
            });
    out.println();
    byRelease.forEach((name, count) -> out.printf("%5d %s%n", count, name));
  }
}
