package org.mammoth.console.sim;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.mammoth.console.Console;
import org.mammoth.console.config.ConsoleKeys;

/**
 * A console with a simulated cluster behind it, to look at and to measure.
 *
 * <p>Arguments: how many nodes, the port (0 for a free one), and for how many seconds.
 */
public final class SimulationMain {

  private SimulationMain() {}

  public static void main(String[] args) throws Exception {
    int nodes = Integer.parseInt(args[0]);
    Path dir = Files.createTempDirectory("console-simulation");
    try (SimulatedCluster cluster = new SimulatedCluster(nodes, Clock.systemUTC())) {
      if (nodes >= 8 && nodes < 100) {
        cluster.ail(nodes - 1, SimulatedCluster.Ailment.BREAKS);
        cluster.ail(nodes - 2, SimulatedCluster.Ailment.HANGS);
        cluster.ail(nodes - 3, SimulatedCluster.Ailment.STOCK);
      }
      Console console =
          ConsoleUnderTest.start(
              cluster,
              dir,
              conf -> {
                conf.set(ConsoleKeys.PORT.name(), args[1]);
                conf.set(ConsoleKeys.ACL_ADMIN.name(), "*");
                conf.set(ConsoleKeys.DEADLINE_MS.name(), "2000");
              });
      System.out.println("console " + console.address() + " history " + dir);
      Thread.sleep(Long.parseLong(args[2]) * 1000);
      console.close();
    }
  }
}
