// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.mammoth.upgrade.check.Doctor;
import org.mammoth.upgrade.check.Finding;
import org.mammoth.upgrade.check.InstalledNode;
import org.mammoth.upgrade.node.LocalNodeManager;
import org.mammoth.upgrade.node.LocalOptions;
import org.mammoth.upgrade.tree.HadoopTree;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mammoth doctor}, which is {@code mammoth-upgrade doctor} with the release's folder. */
@Command(
    name = "doctor",
    description = {
      "Looks at a node of the Mammoth release: what keeps its tasks from engines, and what to do",
      "about it. Where mammoth-upgrade added Mammoth, its status says that. Changes nothing."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%n",
    footer = "Exit status: 0; 1 when tasks cannot run in engines; 2 for a wrong command line.")
final class DoctorCommand implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Mixin private NodeOptions node;

  @Option(names = "--json", description = "For programs.")
  private boolean asJson;

  @Override
  public Integer call() throws IOException {
    HadoopTree tree = node.tree();
    LocalNodeManager nodeManager = new LocalNodeManager(tree, new LocalOptions("", ""));
    List<Finding> findings =
        InstalledNode.examine(tree, nodeManager.config(), nodeManager.process());
    PrintWriter out = spec.commandLine().getOut();
    if (asJson) {
      out.println(new ObjectMapper().writeValueAsString(findings));
    } else {
      CheckCommand.print(out, "", findings);
    }
    out.flush();
    return Doctor.isFit(findings) ? 0 : 1;
  }
}
