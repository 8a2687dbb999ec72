// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ADMIN;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.ConfigRedactor;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.read.ClusterHttp;

/** What a NodeManager itself tells: its configuration and its threads. */
final class DaemonRoutes {

  private static final int MAX_BYTES = 8 << 20;
  private static final long DEADLINE_MS = 10_000;

  private final Recorder recorder;
  private final ClusterHttp http;
  private final ConfigRedactor redactor;
  private final ObjectMapper json = new ObjectMapper();

  DaemonRoutes(Recorder recorder, ClusterHttp http, Configuration conf) {
    this.recorder = recorder;
    this.http = http;
    this.redactor = new ConfigRedactor(conf);
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/nodes/{node}/configuration",
            ADMIN,
            "The NodeManager's configuration in force, secrets masked",
            List.of(),
            Views.Settings.class,
            this::configuration),
        new Route(
            "GET",
            "/nodes/{node}/threads",
            ADMIN,
            "The NodeManager's threads",
            List.of(),
            Views.Text.class,
            this::threads));
  }

  Views.Settings configuration(Call call) throws Exception {
    String id = call.text("node");
    List<Views.Property> properties = new ArrayList<>();
    JsonNode answer = json.readTree(fetch(id, "/conf?format=json"));
    for (JsonNode property : answer.path("properties")) {
      String name = property.path("key").asText();
      String value = redactor.redact(name, property.path("value").asText());
      properties.add(new Views.Property(name, value, property.path("resource").asText()));
    }
    properties.sort(Comparator.comparing(Views.Property::name));
    return new Views.Settings(id, properties);
  }

  Views.Text threads(Call call) throws Exception {
    String id = call.text("node");
    return new Views.Text(id, new String(fetch(id, "/stacks"), StandardCharsets.UTF_8));
  }

  private byte[] fetch(String id, String path) throws ApiException {
    NodeState node = ClusterRoutes.find(recorder.moment(), id);
    if (node.nodeManager() == null) {
      throw new ApiException(404, id + " has no NodeManager");
    }
    try {
      return http.getText(node.nodeManager(), path, DEADLINE_MS, MAX_BYTES).get();
    } catch (ExecutionException e) {
      throw new ApiException(502, "the node does not answer: " + e.getCause().getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(503, "the console is being stopped");
    }
  }
}
