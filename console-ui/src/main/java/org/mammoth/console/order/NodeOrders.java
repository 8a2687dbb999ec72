// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.order;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.mammoth.console.read.ClusterHttp;

/** What administrators have a NodeManager do with its engines. Any thread; calls wait. */
public final class NodeOrders {

  private static final String PORT = "/jmx?get=Mammoth:service=NodeManager,name=Engines::AdminPort";
  private static final int TIMEOUT_MS = 10_000;
  private static final int MAX_BYTES = 1 << 16;

  private final Rpc rpc;
  private final ClusterHttp http;
  private final ObjectMapper json = new ObjectMapper();

  /** Orders by way of these addresses' beans. */
  public NodeOrders(Configuration conf, ClusterHttp http) {
    this.rpc = new Rpc(conf);
    this.http = http;
  }

  /** Drains an engine, or with an empty name all of the node. */
  public JsonNode drain(String nodeManager, String user, String engine) throws OrderException {
    return ask(nodeManager, user, node -> node.drain(engine));
  }

  /** Replaces an engine, or with an empty name all of the node. */
  public JsonNode recycle(String nodeManager, String user, String engine) throws OrderException {
    return ask(nodeManager, user, node -> node.recycle(engine));
  }

  /** Switches the acceleration of a key. */
  public JsonNode turn(String nodeManager, String user, String key, boolean on)
      throws OrderException {
    return ask(nodeManager, user, node -> node.turn(key, on));
  }

  /** Has an engine sample what it runs for so many seconds; with 0 what it sampled last. */
  public JsonNode profile(String nodeManager, String user, String engine, int seconds)
      throws OrderException {
    return ask(nodeManager, user, node -> node.profile(engine, seconds));
  }

  /** The last bytes of what each running engine prints. */
  public JsonNode logs(String nodeManager, String user, int bytes) throws OrderException {
    return ask(nodeManager, user, node -> node.logs(bytes));
  }

  private JsonNode ask(String nodeManager, String user, Rpc.Question<NodeAdminProtocol> question)
      throws OrderException {
    InetSocketAddress address =
        NetUtils.createSocketAddrForHost(URI.create(nodeManager).getHost(), port(nodeManager));
    String who = "the NodeManager at " + nodeManager;
    try {
      return json.readTree(rpc.ask(NodeAdminProtocol.class, address, TIMEOUT_MS, user, question));
    } catch (IOException e) {
      throw OrderException.of(e, who, CacheOrders.name(rpc));
    }
  }

  private int port(String nodeManager) throws OrderException {
    int port;
    try {
      JsonNode bean =
          http.getJson(nodeManager, PORT, TIMEOUT_MS, MAX_BYTES).get().path("beans").path(0);
      port = bean.path("AdminPort").asInt();
    } catch (ExecutionException e) {
      throw new OrderException(
          502, nodeManager + " does not tell its port for orders: " + e.getCause().getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OrderException(503, "the console is being stopped");
    }
    if (port <= 0 || port > 0xFFFF) {
      throw new OrderException(
          409,
          "the NodeManager at "
              + nodeManager
              + " takes no orders: it is of an earlier release, or its port could not be opened"
              + " (mammoth.engine.admin.port; its log says more)");
    }
    return port;
  }
}
