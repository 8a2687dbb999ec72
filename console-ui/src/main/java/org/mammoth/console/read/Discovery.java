// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.mammoth.console.model.DfsSpace;
import org.mammoth.console.model.Figures;

/**
 * Finds the nodes: NodeManagers from the ResourceManager, DataNodes from the NameNodes. A
 * NodeManager and a DataNode of one host are one node.
 */
final class Discovery {

  private static final int MAX_BYTES = 64 << 20;

  private final ClusterHttp http;
  private final Addresses addresses;
  private final long deadlineMs;
  private final ObjectMapper json = new ObjectMapper();

  /**
   * A node that was found; origins are null where it has no such daemon.
   *
   * @param id host:port of the NodeManager's web address, or the DataNode's
   * @param dfs the DataNode's disks, null without one
   */
  record Found(
      String id,
      String host,
      String rack,
      String yarnState,
      String version,
      String nodeManager,
      String dataNode,
      DfsSpace dfs) {}

  /**
   * What one master said: its nodes, or why there is no answer. One that stands by has no nodes and
   * no error.
   */
  record Answer(String origin, List<Found> nodes, String error) {

    boolean standsBy() {
      return nodes == null && error.isEmpty();
    }
  }

  Discovery(ClusterHttp http, Addresses addresses, long deadlineMs) {
    this.http = http;
    this.addresses = addresses;
    this.deadlineMs = deadlineMs;
    addresses.resourceManagers().forEach(http::admit);
    addresses.nameNodes().forEach(http::admit);
    http.admit(addresses.historyServer());
  }

  CompletableFuture<List<Answer>> resourceManagers() {
    return all(addresses.resourceManagers(), "/ws/v1/cluster/nodes", answer -> nodeManagers(answer))
        .thenCompose(this::standbys);
  }

  /**
   * A ResourceManager that stands by redirects what it is asked, or says in plain words that there
   * is no active one; only of itself it tells.
   */
  private CompletableFuture<List<Answer>> standbys(List<Answer> answers) {
    List<CompletableFuture<Answer>> calls = new ArrayList<>();
    for (Answer answer : answers) {
      calls.add(
          answer.nodes() != null
              ? CompletableFuture.completedFuture(answer)
              : http.getJson(answer.origin(), "/ws/v1/cluster/info", deadlineMs, MAX_BYTES)
                  .handle(
                      (info, failure) ->
                          failure == null
                                  && info.at("/clusterInfo/haState").asText().equals("STANDBY")
                              ? new Answer(answer.origin(), null, "")
                              : answer));
    }
    return CompletableFuture.allOf(calls.toArray(new CompletableFuture<?>[0]))
        .thenApply(done -> calls.stream().map(CompletableFuture::join).toList());
  }

  CompletableFuture<List<Answer>> nameNodes() {
    return all(
        addresses.nameNodes(),
        "/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo",
        answer -> dataNodes(answer));
  }

  private CompletableFuture<List<Answer>> all(
      List<String> origins,
      String path,
      java.util.function.Function<JsonNode, List<Found>> parser) {
    List<CompletableFuture<Answer>> calls = new ArrayList<>();
    for (String origin : origins) {
      calls.add(
          http.getJson(origin, path, deadlineMs, MAX_BYTES)
              .thenApply(parser)
              .handle(
                  (nodes, failure) ->
                      failure == null
                          ? new Answer(origin, nodes, "")
                          : new Answer(origin, null, Failures.text(failure))));
    }
    return CompletableFuture.allOf(calls.toArray(new CompletableFuture<?>[0]))
        .thenApply(done -> calls.stream().map(CompletableFuture::join).toList());
  }

  List<Found> nodeManagers(JsonNode answer) {
    List<Found> found = new ArrayList<>();
    for (JsonNode node : answer.path("nodes").path("node")) {
      String address = node.path("nodeHTTPAddress").asText();
      String origin = addresses.nodeScheme() + "://" + address;
      boolean reachable = ClusterHttp.isOrigin(origin);
      String host = node.path("nodeHostName").asText();
      String state = node.path("state").asText();
      // One that was stopped in order keeps its address, at which nobody answers.
      boolean runs = reachable && !state.equals("SHUTDOWN");
      found.add(
          new Found(
              reachable ? address : node.path("id").asText(host),
              host,
              node.path("rack").asText(),
              state,
              node.path("version").asText(),
              runs ? origin : null,
              null,
              null));
    }
    return present(found);
  }

  /**
   * Without what hosts have left behind: one that comes back on another port is another node to
   * YARN, which goes on listing the former one as lost or shut down.
   */
  private static List<Found> present(List<Found> listed) {
    Set<String> hosts = new HashSet<>();
    listed.stream().filter(node -> node.nodeManager() != null).forEach(n -> hosts.add(n.host()));
    return listed.stream()
        .filter(node -> node.nodeManager() != null || !hosts.contains(node.host()))
        .toList();
  }

  List<Found> dataNodes(JsonNode answer) {
    List<Found> found = new ArrayList<>();
    for (JsonNode bean : answer.path("beans")) {
      JsonNode live = parse(bean.path("LiveNodes").asText("{}"));
      for (Iterator<Map.Entry<String, JsonNode>> i = live.fields(); i.hasNext(); ) {
        Map.Entry<String, JsonNode> node = i.next();
        String host = node.getKey().replaceFirst(":\\d+$", "");
        boolean tls = addresses.dataNodeScheme().equals("https");
        String info = node.getValue().path(tls ? "infoSecureAddr" : "infoAddr").asText();
        String address = host + info.substring(Math.max(0, info.lastIndexOf(':')));
        String origin = addresses.dataNodeScheme() + "://" + address;
        if (ClusterHttp.isOrigin(origin)) {
          String version = node.getValue().path("version").asText();
          found.add(
              new Found(address, host, "", "", version, null, origin, space(node.getValue())));
        }
      }
    }
    return found;
  }

  private static DfsSpace space(JsonNode node) {
    return new DfsSpace(
        node.path("capacity").asLong(Figures.UNKNOWN),
        node.path("remaining").asLong(Figures.UNKNOWN),
        node.path("volfails").asLong(Figures.UNKNOWN));
  }

  private JsonNode parse(String text) {
    try {
      return json.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("LiveNodes is no JSON", e);
    }
  }

  /** One list of nodes by id, of NodeManagers and DataNodes by host. */
  static Map<String, Found> merge(List<Found> nodeManagers, List<Found> dataNodes) {
    Map<String, List<Found>> free = new LinkedHashMap<>();
    for (Found node : dataNodes) {
      free.computeIfAbsent(node.host(), h -> new ArrayList<>()).add(node);
    }
    Map<String, Found> merged = new LinkedHashMap<>();
    for (Found node : nodeManagers) {
      List<Found> same = free.getOrDefault(node.host(), List.of());
      Found data = same.isEmpty() ? null : same.remove(0);
      merged.put(
          node.id(),
          new Found(
              node.id(),
              node.host(),
              node.rack(),
              node.yarnState(),
              node.version(),
              node.nodeManager(),
              data == null ? null : data.dataNode(),
              data == null ? null : data.dfs()));
    }
    for (List<Found> rest : free.values()) {
      rest.forEach(node -> merged.put(node.id(), node));
    }
    return merged;
  }
}
