// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.List;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.api.status.NodeDecisions;
import org.mammoth.api.status.NodeSnapshot;
import org.mammoth.api.status.StatusJson;

/** What the one node tells of its engines, read from its web server as the console does. */
public final class NodeStatus {
  private static final String BEAN = "Mammoth:service=NodeManager,name=Engines";

  private NodeStatus() {}

  /** All engines. */
  public static NodeSnapshot snapshot(MiniCluster cluster) throws IOException {
    return new StatusJson().read(attribute(cluster, "Snapshot"), NodeSnapshot.class);
  }

  /** Engines that run tasks and have told of themselves. */
  public static List<EngineSnapshot> taskEngines(MiniCluster cluster) throws IOException {
    return snapshot(cluster).engines().stream()
        .map(NodeSnapshot.Engine::snapshot)
        .filter(engine -> engine != null && engine.memory() != null)
        .toList();
  }

  /** The last decisions of all engines. */
  public static NodeDecisions decisions(MiniCluster cluster) throws IOException {
    return new StatusJson().read(attribute(cluster, "Decisions"), NodeDecisions.class);
  }

  /** The engines' numbers in the NodeManager's metrics system. */
  public static JsonNode metrics(MiniCluster cluster) throws IOException {
    // The first daemon of this JVM gave the metrics system its name.
    return bean(cluster, "qry=Hadoop:name=MammothEngineFigures,*");
  }

  private static String attribute(MiniCluster cluster, String name) throws IOException {
    return bean(cluster, "get=" + BEAN + "::" + name).path(name).asText();
  }

  private static JsonNode bean(MiniCluster cluster, String query) throws IOException {
    int port = cluster.node().getNMContext().getHttpPort();
    URL url = new URL("http://localhost:" + port + "/jmx?" + query);
    try (InputStream body = url.openStream()) {
      return new ObjectMapper().readTree(body).path("beans").path(0);
    }
  }
}
