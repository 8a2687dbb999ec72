// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.order;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.mammoth.api.Beans;
import org.mammoth.api.status.EngineLogs;
import org.mammoth.api.status.OrderAnswer;
import org.mammoth.api.status.StatusJson;
import org.mammoth.config.names.KeyNames;
import org.mammoth.console.read.ClusterHttp;
import org.mammoth.mapreduce.protocol.NodeAdminProtocol;

/** What administrators have a NodeManager do with its engines. Any thread; calls wait. */
public final class NodeOrders {

  private static final String PORT = Beans.page(Beans.READINGS, Beans.ADMIN_PORT);
  private static final int TIMEOUT_MS = 10_000;
  private static final int MAX_BYTES = 1 << 16;

  private final Rpc rpc;
  private final ClusterHttp http;
  private final StatusJson status = new StatusJson();

  /** Orders by way of these addresses' beans. */
  public NodeOrders(Configuration conf, ClusterHttp http) {
    this.rpc = new Rpc(conf);
    this.http = http;
  }

  /** Drains an engine, or with an empty name all of the node. */
  public OrderAnswer drain(String nodeManager, String user, String engine) throws OrderException {
    return ask(nodeManager, user, OrderAnswer.class, node -> node.drain(engine));
  }

  /** Replaces an engine, or with an empty name all of the node. */
  public OrderAnswer recycle(String nodeManager, String user, String engine) throws OrderException {
    return ask(nodeManager, user, OrderAnswer.class, node -> node.recycle(engine));
  }

  /** Switches the acceleration of a key. */
  public OrderAnswer turn(String nodeManager, String user, String key, boolean on)
      throws OrderException {
    return ask(nodeManager, user, OrderAnswer.class, node -> node.turn(key, on));
  }

  /** Has an engine sample what it runs for so many seconds; with 0 what it sampled last. */
  public JsonNode profile(String nodeManager, String user, String engine, int seconds)
      throws OrderException {
    return ask(nodeManager, user, JsonNode.class, node -> node.profile(engine, seconds));
  }

  /** The last bytes of what each running engine prints. */
  public EngineLogs logs(String nodeManager, String user, int bytes) throws OrderException {
    return ask(nodeManager, user, EngineLogs.class, node -> node.logs(bytes));
  }

  private <T> T ask(
      String nodeManager, String user, Class<T> answer, Rpc.Question<NodeAdminProtocol> question)
      throws OrderException {
    InetSocketAddress address =
        NetUtils.createSocketAddrForHost(URI.create(nodeManager).getHost(), port(nodeManager));
    String who = "the NodeManager at " + nodeManager;
    try {
      return status.read(
          rpc.ask(NodeAdminProtocol.class, address, TIMEOUT_MS, user, question), answer);
    } catch (IOException e) {
      throw OrderException.of(e, who, CacheOrders.name(rpc));
    }
  }

  private int port(String nodeManager) throws OrderException {
    int port;
    try {
      JsonNode bean =
          http.getJson(nodeManager, PORT, TIMEOUT_MS, MAX_BYTES).get().path("beans").path(0);
      port = bean.path(Beans.ADMIN_PORT).asInt();
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
              + " ("
              + KeyNames.ENGINE_ADMIN_PORT
              + "; its log says more)");
    }
    return port;
  }
}
