// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.mammoth.api.Beans;
import org.mammoth.api.status.OrderAnswer;
import org.mammoth.api.status.StatusJson;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.protocol.NodeAdminProtocol;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mammoth switch}: turns the engines of one node off or on until it is restarted. */
@Command(
    name = "switch",
    description = {
      "Turns the engines of one node off or on, until its NodeManager is restarted.",
      "Off: tasks go to ordinary containers, and engines end with the last task they have."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%n",
    footer = "Exit status: 0; 1 when the node did not take the order; 2 for a wrong command line.")
final class SwitchCommand implements Callable<Integer> {

  /** What the engines are to be. */
  enum Turn {
    off,
    on
  }

  private static final int TIMEOUT_MS = 10_000;

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(index = "0", paramLabel = "off|on", description = "What they are to be.")
  private Turn turn;

  @Option(
      names = "-address",
      required = true,
      paramLabel = "HOST:PORT",
      description =
          "Where the NodeManager takes orders: mammoth.engine.admin.port, or "
              + (Beans.ADMIN_PORT + " of its bean " + Beans.READINGS + "."))
  private String address;

  @Override
  public Integer call() {
    try {
      String answer = order(new YarnConfiguration());
      OrderAnswer read = new StatusJson().read(answer, OrderAnswer.class);
      if (read.refused()) {
        spec.commandLine().getErr().println(read.reason());
        return 1;
      }
      spec.commandLine().getOut().println(answer);
      return 0;
    } catch (RemoteException e) {
      spec.commandLine().getErr().println(e.unwrapRemoteException().getMessage());
      return 1;
    } catch (IOException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
  }

  private String order(Configuration conf) throws IOException {
    // A node that does not answer should not be waited for as a NameNode is.
    conf.setInt("ipc.client.connect.timeout", TIMEOUT_MS);
    conf.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    NodeAdminProtocol node =
        RPC.getProxy(
            NodeAdminProtocol.class,
            NodeAdminProtocol.versionID,
            NetUtils.createSocketAddr(address),
            conf);
    try {
      return node.turn(EngineKeys.ENABLED.name(), turn == Turn.on).toString();
    } catch (ClassCastException e) {
      throw new IOException("it is of an earlier release: what it answers cannot be read", e);
    } finally {
      RPC.stopProxy(node);
    }
  }
}
