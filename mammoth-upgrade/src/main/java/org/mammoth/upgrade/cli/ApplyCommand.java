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
      description = "With --hosts: leave out hosts that something is in the way on.")
  private boolean fitOnly;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return fleet.isFleet() ? onHosts() : here();
  }

  private int here() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    HadoopTree tree = node.tree();
    Facts facts = node.facts(tree);
    List<Finding> findings = Doctor.examine(facts, accept.ids());
    if (!Doctor.isFit(findings)) {
      CheckCommand.print(
          out, "", findings.stream().filter(each -> each.level() == Finding.Level.ERROR).toList());
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
      out.println("this node runs Mammoth " + facts.release().id());
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
    if (noTurnBack) {
      more.add("--no-turn-back");
    }
    FleetOptions fit =
        fitOnly ? fleet.only(host -> answers.get(host).path("fit").asBoolean()) : fleet;
    return Changes.make("apply", more, node, fit, running, out);
  }
}
