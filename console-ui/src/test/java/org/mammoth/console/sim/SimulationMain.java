// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.sim;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.mammoth.console.Console;
import org.mammoth.console.config.AlertKeys;
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
                alertSoon(conf);
              });
      System.out.println("console " + console.loginAddress() + " " + console.loginFile());
      long end = System.currentTimeMillis() + ms;
      happen(cluster, nodes, end);
      Thread.sleep(Math.max(0, end - System.currentTimeMillis()));
      console.close();
    }
  }

  /** Alerts fire within seconds. */
  private static void alertSoon(Configuration conf) {
    conf.set(AlertKeys.NODE_UNREACHABLE.name(), "15");
    conf.set(AlertKeys.MEMORY_PRESSURE.name(), "10");
    conf.set(AlertKeys.DISK_OUT.name(), "5");
    conf.set(AlertKeys.MIXED_VERSIONS.name(), "5");
    conf.set(AlertKeys.RESOLVE.name(), "5");
    conf.set(AlertKeys.GROUP_WAIT.name(), "5");
    String webhook = System.getProperty("mammoth.simulation.webhook", "");
    conf.set(AlertKeys.WEBHOOK.name(), webhook);
  }

  /** An engine dies, a disk fails, a job fails, a node breaks and comes back. */
  private static void happen(SimulatedCluster cluster, int nodes, long end) throws Exception {
    if (nodes < 8) {
      return;
    }
    List<Runnable> events =
        List.of(
            () -> cluster.ail(2, SimulatedCluster.Ailment.BREAKS),
            () -> cluster.node(3).loseEngine(),
            () -> cluster.node(4).diskOut("Input/output error"),
            () -> cluster.version(5, "3.4.1"),
            () -> cluster.heal(2),
            cluster::failSecondJob);
    for (Runnable event : events) {
      Thread.sleep(Math.max(0, Math.min(12_000, end - System.currentTimeMillis())));
      event.run();
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
