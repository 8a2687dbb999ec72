package org.mammoth.compat.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.List;
import org.mammoth.mapreduce.status.EngineSnapshot;
import org.mammoth.mapreduce.status.NodeDecisions;
import org.mammoth.mapreduce.status.NodeSnapshot;
import org.mammoth.mapreduce.status.StatusJson;

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

  private static String attribute(MiniCluster cluster, String name) throws IOException {
    int port = cluster.node().getNMContext().getHttpPort();
    URL url = new URL("http://localhost:" + port + "/jmx?get=" + BEAN + "::" + name);
    try (InputStream body = url.openStream()) {
      return new ObjectMapper().readTree(body).path("beans").path(0).path(name).asText();
    }
  }
}
