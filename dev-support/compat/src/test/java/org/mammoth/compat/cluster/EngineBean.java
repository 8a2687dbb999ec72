// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.cluster;

import java.io.IOException;
import java.util.Locale;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.api.status.StatusJson;

/**
 * What an engine's own process says of itself, whichever NodeManager it belongs to: of several in
 * one JVM only the first is seen over HTTP.
 */
public final class EngineBean implements AutoCloseable {
  private static final String NAME = "Hadoop:service=Engine,name=EngineStatus";
  private static final String ADDRESS = "sun.management.JMXConnectorServer.address=";

  private final StatusJson json = new StatusJson();
  private final JMXConnector connector;

  private EngineBean(JMXConnector connector) {
    this.connector = connector;
  }

  /** Connects to an engine. */
  public static EngineBean of(ProcessHandle engine) throws IOException, InterruptedException {
    Engines.command(engine, "ManagementAgent.start_local");
    String address =
        Engines.command(engine, "PerfCounter.print")
            .lines()
            .filter(
                line -> line.toLowerCase(Locale.ROOT).startsWith(ADDRESS.toLowerCase(Locale.ROOT)))
            .map(line -> line.substring(ADDRESS.length()).replace("\"", "").trim())
            .findFirst()
            .orElseThrow(() -> new IOException(engine + " tells no address"));
    return new EngineBean(JMXConnectorFactory.connect(new JMXServiceURL(address)));
  }

  /** What it says now. */
  public EngineSnapshot snapshot() throws IOException {
    try {
      Object text =
          connector.getMBeanServerConnection().getAttribute(new ObjectName(NAME), "Snapshot");
      return json.read((String) text, EngineSnapshot.class);
    } catch (JMException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException e) {
      // The engine is gone.
    }
  }
}
