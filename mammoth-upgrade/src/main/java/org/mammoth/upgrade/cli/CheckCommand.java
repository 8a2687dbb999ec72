// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.mammoth.upgrade.check.Doctor;
import org.mammoth.upgrade.check.Facts;
import org.mammoth.upgrade.check.Finding;
import org.mammoth.upgrade.check.JobHistory;
import org.mammoth.upgrade.tree.HadoopTree;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mammoth-upgrade check}. */
@Command(
    name = "check",
    description = {
      "Looks whether Mammoth can be added, says what is in the way and what to do about it.",
      "Changes nothing."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%n",
    footer = "Exit status: 0; 1 when something is in the way; 2 for a wrong command line.")
final class CheckCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Mixin private NodeOptions node;
  @Mixin private FleetOptions fleet;
  @Mixin private AcceptOptions accept;

  @Option(
      names = "--jobs",
      description =
          "Look besides at the last day's jobs in the job history: how many would run in engines,"
              + " and why others would not.")
  private boolean jobs;

  @Option(names = "--json", description = "For programs.")
  private boolean asJson;

  private final ObjectMapper json = new ObjectMapper();

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (!fleet.isFleet()) {
      HadoopTree tree = node.tree();
      Facts facts = node.facts(tree);
      List<Finding> findings = new ArrayList<>(Doctor.examine(facts, accept.ids()));
      if (jobs) {
        findings.add(new JobHistory(facts.job()).look(System.currentTimeMillis()));
      }
      if (asJson) {
        out.println(json.writeValueAsString(report(tree, facts, findings)));
      } else {
        print(out, "", findings);
        out.println(verdict(findings, facts));
      }
      out.flush();
      return Doctor.isFit(findings) ? 0 : 1;
    }
    Map<String, JsonNode> answers = ask(node, fleet, accept, jobs, json);
    if (asJson) {
      out.println(json.writerWithDefaultPrettyPrinter().writeValueAsString(answers));
    } else {
      printFleet(out, answers);
    }
    out.flush();
    return isFit(answers) ? 0 : 1;
  }

  private ObjectNode report(HadoopTree tree, Facts facts, List<Finding> findings)
      throws IOException {
    ObjectNode report = json.createObjectNode();
    report.put("hadoop", tree.version().orElse(""));
    report.put("release", facts.release().id());
    report.put("fit", Doctor.isFit(findings));
    report.put("nowMs", System.currentTimeMillis());
    report.set("findings", json.valueToTree(findings));
    return report;
  }

  private static String verdict(List<Finding> findings, Facts facts) {
    long errors = count(findings, Finding.Level.ERROR);
    long warnings = count(findings, Finding.Level.WARNING);
    return errors > 0
        ? "Mammoth " + facts.release().version() + " is not added here: " + errors + " in the way"
        : "Mammoth "
            + facts.release().version()
            + " can be added"
            + (warnings > 0 ? "; " + warnings + " to think of" : "");
  }

  private static long count(List<Finding> findings, Finding.Level level) {
    return findings.stream().filter(finding -> finding.level() == level).count();
  }

  static void print(PrintWriter out, String indent, List<Finding> findings) {
    for (Finding finding : findings) {
      out.printf(
          "%s%-8s %s: %s%n",
          indent,
          finding.level() == Finding.Level.OK ? "ok" : finding.level(),
          finding.id(),
          finding.text());
      if (!finding.remedy().isEmpty()) {
        out.printf("%s         -> %s%n", indent, finding.remedy());
      }
    }
  }

  /** What is the same on many hosts is said once. */
  static void printFleet(PrintWriter out, Map<String, JsonNode> answers) {
    Map<String, List<String>> hostsOf = new TreeMap<>();
    Map<String, Finding> findings = new TreeMap<>();
    answers.forEach(
        (host, answer) -> {
          for (Finding finding : findings(answer)) {
            if (finding.level() != Finding.Level.OK || finding.id().equals(JobHistory.ID)) {
              String key = (9 - finding.level().ordinal()) + finding.id() + finding.text();
              findings.put(key, finding);
              hostsOf.computeIfAbsent(key, unused -> new ArrayList<>()).add(host);
            }
          }
        });
    findings.forEach(
        (key, finding) -> {
          out.println(FleetReports.names(hostsOf.get(key), answers.size()) + ":");
          print(out, "  ", List.of(finding));
        });
    long fit = answers.values().stream().filter(answer -> answer.path("fit").asBoolean()).count();
    out.println("Mammoth can be added to " + fit + " of " + answers.size() + " hosts");
  }

  private static List<Finding> findings(JsonNode answer) {
    List<Finding> findings = new ArrayList<>();
    if (answer.has("error")) {
      findings.add(
          new Finding(
              Finding.Level.ERROR,
              "unreachable",
              answer.path("error").asText(),
              "ssh HOST true has to work as this user without a question (host key, key); --ssh"
                  + " names another command"));
    }
    for (JsonNode finding : answer.path("findings")) {
      findings.add(
          new Finding(
              Finding.Level.valueOf(finding.path("level").asText()),
              finding.path("id").asText(),
              finding.path("text").asText(),
              finding.path("remedy").asText()));
    }
    return findings;
  }

  static boolean isFit(Map<String, JsonNode> answers) {
    return answers.values().stream().allMatch(answer -> answer.path("fit").asBoolean());
  }

  /**
   * What {@link ApplyCommand} asks every host before it changes the first.
   *
   * @param jobs whether the first is to look at the job history besides
   */
  static Map<String, JsonNode> ask(
      NodeOptions node, FleetOptions fleet, AcceptOptions accepted, boolean jobs, ObjectMapper json)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("check", "--json"));
    accepted.addTo(words);
    Map<String, JsonNode> answers =
        FleetReports.ask(node, fleet, words, jobs ? List.of("--jobs") : List.of(), json);
    Clocks.add(answers);
    return answers;
  }
}
