// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ADMIN;
import static org.mammoth.console.web.Route.Right.ANYONE;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.ConfigRedactor;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.console.live.Moment;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.order.RollingRecycle;
import org.mammoth.console.read.ClusterHttp;
import org.mammoth.console.read.ConfigurationDifferences;

/** What concerns many nodes at once: how their configurations differ, and recycling one by one. */
final class FleetRoutes {

  /** How many NodeManagers are asked at the same time; each answer has some 300 KB. */
  private static final int AT_ONCE = 8;

  private static final int MAX_BYTES = 8 << 20;
  private static final long DEADLINE_MS = 10_000;

  private final Recorder recorder;
  private final ClusterHttp http;
  private final ConfigRedactor redactor;
  private final RollingRecycle rolling;

  /**
   * How the nodes' configurations differ.
   *
   * @param compared how many nodes
   * @param silent why the others are not among them, by node
   */
  record Differences(
      int compared,
      Map<String, String> silent,
      List<ConfigurationDifferences.Difference> differences) {}

  FleetRoutes(Recorder recorder, ClusterHttp http, Configuration conf, RollingRecycle rolling) {
    this.recorder = recorder;
    this.http = http;
    this.redactor = new ConfigRedactor(conf);
    this.rolling = rolling;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/fleet/differences",
            ADMIN,
            "Which keys have another value on some NodeManagers than on others, secrets masked",
            List.of(),
            Differences.class,
            call -> differences()),
        new Route(
            "GET",
            "/fleet/recycle",
            ANYONE,
            "How far recycling engines node by node is; null if none was started",
            List.of(),
            RollingRecycle.Progress.class,
            call -> rolling.progress()),
        new Route(
            "POST",
            "/fleet/recycle",
            ADMIN,
            "Begins to replace the engines of one node after the other; stops at the first trouble",
            List.of(new Route.Param("rack", "string", false, "of this rack only")),
            RollingRecycle.Progress.class,
            this::recycle),
        new Route(
            "POST",
            "/fleet/stop",
            ADMIN,
            "Goes on to no further node",
            List.of(),
            RollingRecycle.Progress.class,
            call -> rolling.stop(call.viewer().user(), recorder.moment())));
  }

  private Object recycle(Call call) throws ApiException {
    String rack = call.query().containsKey("rack") ? call.text("rack") : "";
    try {
      return rolling.start(call.viewer().user(), rack, recorder.moment());
    } catch (IllegalStateException e) {
      throw new ApiException(409, e.getMessage());
    }
  }

  private Differences differences() throws ApiException {
    Moment moment = recorder.moment();
    ConfigurationDifferences differences = new ConfigurationDifferences(redactor::redact);
    Map<String, String> silent = new LinkedHashMap<>();
    List<NodeState> some = new ArrayList<>();
    for (NodeState node : moment.view().nodes().values()) {
      if (node.nodeManager() != null) {
        some.add(node);
      }
      if (some.size() == AT_ONCE) {
        compare(some, differences, silent);
        some.clear();
      }
    }
    compare(some, differences, silent);
    return new Differences(differences.size(), silent, differences.differences());
  }

  private void compare(
      List<NodeState> some, ConfigurationDifferences differences, Map<String, String> silent)
      throws ApiException {
    List<CompletableFuture<JsonNode>> asked = new ArrayList<>();
    for (NodeState node : some) {
      asked.add(http.getJson(node.nodeManager(), "/conf?format=json", DEADLINE_MS, MAX_BYTES));
    }
    for (int i = 0; i < some.size(); i++) {
      NodeState node = some.get(i);
      try {
        differences.add(node.id(), names(node), asked.get(i).get());
      } catch (ExecutionException e) {
        silent.put(node.id(), String.valueOf(e.getCause().getMessage()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ApiException(503, "the console is being stopped");
      }
    }
  }

  private static List<String> names(NodeState node) {
    String id = node.id();
    int colon = id.lastIndexOf(':');
    return List.of(node.host(), colon < 0 ? id : id.substring(0, colon));
  }
}
