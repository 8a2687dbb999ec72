// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.mammoth.upgrade.check.Service;
import org.mammoth.upgrade.node.Disk;
import org.mammoth.upgrade.node.LocalNodeManager;
import org.mammoth.upgrade.node.NodeUpgrade;
import org.mammoth.upgrade.node.RunOptions;
import org.mammoth.upgrade.tree.HadoopTree;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mammoth-upgrade rollback}. */
@Command(
    name = "rollback",
    description = {
      "Takes Mammoth out of a node, or of all hosts of a list, while jobs run.",
      "Engines end with the tasks they have, the NodeManager is restarted as it was before, and"
          + " everything of Mammoth's is removed, the logs of its engines included."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%n",
    footer = "Exit status: 0; 1 when it was not done everywhere; 2 for a wrong command line.")
final class RollbackCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Mixin private NodeOptions node;
  @Mixin private FleetOptions fleet;
  @Mixin private AcceptOptions accept;
  @Mixin private RunningOptions running;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (running.hasRestart()) {
      accept.add(Service.ID);
    }
    if (fleet.isFleet()) {
      List<String> more = new ArrayList<>();
      accept.addTo(more);
      return Changes.make("rollback", more, node, fleet, running, out);
    }
    HadoopTree tree = node.tree();
    LocalNodeManager nodeManager = new LocalNodeManager(tree, running.local());
    Optional<String> service = nodeManager.process().flatMap(process -> Service.of(process.pid()));
    if (service.isPresent() && !nodeManager.isStock() && !accept.ids().contains(Service.ID)) {
      CheckCommand.print(out, "", List.of(Service.finding(service.get())));
      out.println("nothing was changed");
      out.flush();
      return 1;
    }
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
    RunOptions options = running.run(false);
    if (running.isDry()) {
      upgrade.planOfRollback(options).forEach(out::println);
      out.println("nothing was changed");
    } else {
      upgrade.rollback(options);
      out.println(
          (nodeManager.running().isPresent()
                  ? "this node runs stock Hadoop"
                  : "no NodeManager runs; the next one will be stock")
              + "; nothing of Mammoth is left");
    }
    out.flush();
    return 0;
  }
}
