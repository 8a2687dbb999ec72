// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.mammoth.console.web.Route.Right.ADMIN;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.order.NodeOrders;
import org.mammoth.console.store.DecisionStore;
import org.mammoth.console.store.History;

/**
 * A node's support bundle: what the console knows of it and what its daemons tell, in one ZIP. What
 * cannot be had is named in {@code missing.txt}, so that a sick node still gives a bundle.
 */
final class BundleRoutes {

  private static final long SPAN_MS = 900_000;
  private static final int DECISIONS = 5_000;
  private static final int LOG_BYTES = 256 << 10;

  private final Recorder recorder;
  private final History history;
  private final DecisionStore decisions;
  private final ClusterRoutes cluster;
  private final DaemonRoutes daemons;
  private final NodeOrders orders;
  private final Clock clock;
  private final ObjectMapper json =
      Json.mapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(com.fasterxml.jackson.core.JsonGenerator.Feature.AUTO_CLOSE_TARGET);

  BundleRoutes(
      ConsoleServer.Parts parts, ClusterRoutes cluster, DaemonRoutes daemons, NodeOrders orders) {
    this.recorder = parts.recorder();
    this.history = parts.history();
    this.decisions = parts.decisions();
    this.clock = parts.clock();
    this.cluster = cluster;
    this.daemons = daemons;
    this.orders = orders;
  }

  List<Route> routes() {
    return List.of(
        new Route(
            "POST",
            "/nodes/{node}/bundle",
            ADMIN,
            "A ZIP of what there is to know about a node: state, last quarter of an hour, decisions,"
                + " configuration with secrets masked, threads, what its engines print",
            List.of(),
            Attachment.class,
            this::bundle));
  }

  /** One part of a bundle. */
  private interface Part {
    Object make() throws Exception;
  }

  private Attachment bundle(Call call) throws Exception {
    String id = ClusterRoutes.find(recorder.moment(), call.text("node")).id();
    long now = clock.millis();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StringBuilder missing = new StringBuilder();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      add(zip, missing, "about.json", () -> cluster.about(call));
      add(zip, missing, "cluster.json", () -> cluster.overview(recorder.moment(), call.viewer()));
      add(zip, missing, "node.json", () -> cluster.node(call));
      add(zip, missing, "history.json", () -> history.read("node|" + id, now - SPAN_MS, now, now));
      add(zip, missing, "decisions.json", () -> decisions.read(id, now - SPAN_MS, now, DECISIONS));
      add(zip, missing, "configuration.json", () -> daemons.configuration(call));
      add(zip, missing, "threads.txt", () -> daemons.threads(call).text());
      logs(zip, missing, call);
      add(zip, missing, "missing.txt", missing::toString);
    }
    String name = "mammoth-" + id.replaceAll("[^A-Za-z0-9.-]", "_") + "-" + now + ".zip";
    return new Attachment("application/zip", name, bytes.toByteArray());
  }

  private void add(ZipOutputStream zip, StringBuilder missing, String name, Part part)
      throws IOException {
    byte[] content;
    try {
      Object made = part.make();
      content =
          made instanceof String text
              ? text.getBytes(StandardCharsets.UTF_8)
              : json.writeValueAsBytes(made);
    } catch (Exception e) {
      missing.append(name).append(": ").append(e.getMessage()).append('\n');
      return;
    }
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(Instant.ofEpochMilli(clock.millis()).toEpochMilli());
    zip.putNextEntry(entry);
    zip.write(content);
    zip.closeEntry();
  }

  private void logs(ZipOutputStream zip, StringBuilder missing, Call call) throws IOException {
    Map<String, String> logs;
    try {
      String origin =
          ActionRoutes.nodeManager(ClusterRoutes.find(recorder.moment(), call.text("node")));
      logs = orders.logs(origin, call.viewer().user(), LOG_BYTES).logs();
    } catch (Exception e) {
      missing.append("logs: ").append(e.getMessage()).append('\n');
      return;
    }
    for (Map.Entry<String, String> log : logs.entrySet()) {
      String name = "logs/" + log.getKey().replaceAll("[^A-Za-z0-9._-]", "_");
      add(zip, missing, name, log::getValue);
    }
  }
}
