// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.mammoth.upgrade.check.Doctor;
import org.mammoth.upgrade.check.Facts;
import org.mammoth.upgrade.check.Finding;
import org.mammoth.upgrade.check.Service;
import org.mammoth.upgrade.node.Disk;
import org.mammoth.upgrade.node.LocalNodeManager;
import org.mammoth.upgrade.node.NodeUpgrade;
import org.mammoth.upgrade.node.RunOptions;
import org.mammoth.upgrade.tree.HadoopTree;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mammoth-upgrade apply}. */
@Command(
    name = "apply",
    description = {
      "Adds Mammoth to a node, or to all hosts of a list, while jobs run.",
      "Each NodeManager is restarted once. What was done already is not done again, so that a run"
          + " that ended anywhere is completed by the same command."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%n",
    footer = "Exit status: 0; 1 when it was not done everywhere; 2 for a wrong command line.")
final class ApplyCommand implements Callable<Integer> {

  private static final String TOLD = "--told";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Mixin private NodeOptions node;
  @Mixin private FleetOptions fleet;
  @Mixin private AcceptOptions accept;
  @Mixin private RunningOptions running;

  @Option(
      names = "--no-turn-back",
      description = "Leave a node as it is when its NodeManager does not become well.")
  private boolean noTurnBack;

  @Option(
      names = "--fit-only",
      description =
          "With --hosts: leave out hosts that something is in the way on; they are named in the"
              + " end, and are no failure unless it is all of them.")
  private boolean fitOnly;

  @Option(
      names = TOLD,
      hidden = true,
      description = "Warnings were printed before: for a command that --hosts carries.")
  private boolean told;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (running.hasRestart()) {
      accept.add(Service.ID);
    }
    return fleet.isFleet() ? onHosts() : here();
  }

  private int here() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    HadoopTree tree = node.tree();
    Facts facts = node.facts(tree);
    List<Finding> findings = Doctor.examine(facts, accept.ids());
    boolean isFit = Doctor.isFit(findings);
    if (!isFit || !told) {
      CheckCommand.print(
          out,
          "",
          findings.stream()
              .filter(each -> each.level() == Finding.Level.ERROR || !told)
              .filter(each -> each.level() != Finding.Level.OK)
              .toList());
    }
    if (!isFit) {
      out.println("nothing was changed");
      out.flush();
      return 1;
    }
    LocalNodeManager nodeManager = new LocalNodeManager(tree, running.local());
    NodeUpgrade upgrade =
        new NodeUpgrade(
            tree,
            new Disk(what -> {}),
            nodeManager,
            Clock.systemUTC(),
            line -> {
              out.println(line);
              out.flush();
            });
    RunOptions options = running.run(!noTurnBack);
    if (running.isDry()) {
      upgrade.planOfApply(facts.release(), options).forEach(out::println);
      out.println("nothing was changed");
    } else {
      upgrade.apply(facts.release(), options);
      out.println(
          (nodeManager.running().isPresent()
                  ? "this node runs Mammoth "
                  : "no NodeManager runs; the next one will with Mammoth ")
              + facts.release().id());
    }
    out.flush();
    return 0;
  }

  private int onHosts() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Map<String, JsonNode> answers =
        CheckCommand.ask(node, fleet, accept, false, new ObjectMapper());
    CheckCommand.printFleet(out, answers);
    out.flush();
    if (!CheckCommand.isFit(answers) && !fitOnly) {
      out.println(
          "Nothing was changed. Mend what is in the way, or leave such hosts out with --fit-only.");
      out.flush();
      return 1;
    }
    List<String> more = new ArrayList<>();
    accept.addTo(more);
    more.add(TOLD);
    if (noTurnBack) {
      more.add("--no-turn-back");
    }
    List<String> unfit =
        answers.keySet().stream()
            .filter(host -> !answers.get(host).path("fit").asBoolean())
            .toList();
    if (unfit.size() == answers.size()) {
      out.println("Nothing was changed: no host is fit.");
      out.flush();
      return 1;
    }
    int status =
        Changes.make("apply", more, node, fleet.only(host -> !unfit.contains(host)), running, out);
    if (!unfit.isEmpty()) {
      out.println("left out (--fit-only): " + FleetReports.names(unfit, answers.size()));
      out.flush();
    }
    return status;
  }
}
