// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.sim;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.mammoth.console.Console;
import org.mammoth.console.config.ConsoleKeys;

/**
 * A console with a simulated cluster behind it, to look at and to measure.
 *
 * <p>Arguments: how many nodes, the port (0 for a free one), and for how many seconds. With a
 * folder as a fourth argument there is no console, but a mapred-site.xml in that folder which leads
 * one to the cluster, so that the console can be measured as a process of its own.
 */
public final class SimulationMain {

  private static final int PAST = 240;

  private SimulationMain() {}

  public static void main(String[] args) throws Exception {
    int nodes = Integer.parseInt(args[0]);
    long ms = Long.parseLong(args[2]) * 1000;
    try (SimulatedCluster cluster = new SimulatedCluster(nodes, Clock.systemUTC())) {
      cluster.past(PAST);
      cluster.admins().admin(UserGroupInformation.getLoginUser().getShortUserName());
      if (args.length > 3) {
        cluster(cluster, Path.of(args[3]), args[1]);
        Thread.sleep(ms);
        return;
      }
      if (nodes >= 8 && nodes < 100) {
        cluster.ail(nodes - 1, SimulatedCluster.Ailment.BREAKS);
        cluster.ail(nodes - 2, SimulatedCluster.Ailment.HANGS);
        cluster.ail(nodes - 3, SimulatedCluster.Ailment.STOCK);
      }
      Console console =
          ConsoleUnderTest.start(
              cluster,
              Files.createTempDirectory("console-simulation"),
              conf -> {
                conf.set(ConsoleKeys.PORT.name(), args[1]);
                conf.set(ConsoleKeys.ACL_ADMIN.name(), "*");
                conf.set(ConsoleKeys.DEADLINE_MS.name(), "2000");
              });
      System.out.println("console " + console.loginAddress() + " " + console.loginFile());
      Thread.sleep(ms);
      console.close();
    }
  }

  private static void cluster(SimulatedCluster cluster, Path dir, String port) throws Exception {
    Configuration conf = new Configuration(false);
    cluster.configure(conf);
    conf.set(ConsoleKeys.PORT.name(), port);
    conf.set(ConsoleKeys.DIRECTORY.name(), dir.resolve("data").toString());
    Files.createDirectories(dir);
    try (OutputStream file = Files.newOutputStream(dir.resolve("mapred-site.xml"))) {
      conf.writeXml(file);
    }
    System.out.println("cluster in " + dir);
  }
}
