// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.TreeMap;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.mammoth.console.alert.Alerts;
import org.mammoth.console.live.Moment;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.store.History;
import org.mammoth.console.web.PrometheusNames.Metric;

/**
 * The last second in Prometheus' text format: each node's row, and the console's own state. A
 * number a node does not tell has no line.
 */
final class MetricsServlet extends HttpServlet {

  private static final long serialVersionUID = 1;

  private final transient Recorder recorder;
  private final transient History history;
  private final transient StreamHub hub;
  private final transient Alerts alerts;
  private final transient Clock clock;

  MetricsServlet(Recorder recorder, History history, StreamHub hub, Alerts alerts, Clock clock) {
    this.clock = clock;
    this.recorder = recorder;
    this.history = history;
    this.hub = hub;
    this.alerts = alerts;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Moment moment = recorder.moment();
    StringBuilder text = new StringBuilder(NodeMetrics.of(moment));
    Map<String, Long> reach = new TreeMap<>();
    moment.rows().values().forEach(row -> reach.merge(row.reach(), 1L, Long::sum));
    NodeMetrics.head(
        text, new Metric("mammoth_console_nodes", "gauge", "Nodes by how reading them ended"));
    reach.forEach(
        (name, count) ->
            text.append("mammoth_console_nodes{reach=\"")
                .append(name)
                .append("\"} ")
                .append(count)
                .append('\n'));
    NodeMetrics.head(
        text, new Metric("mammoth_console_streams", "gauge", "Pages that follow the cluster"));
    text.append("mammoth_console_streams ").append(hub.size()).append('\n');
    NodeMetrics.head(text, new Metric("mammoth_console_history_bytes", "gauge", "History on disk"));
    text.append("mammoth_console_history_bytes ").append(history.bytes()).append('\n');
    NodeMetrics.head(
        text,
        new Metric(
            "mammoth_console_age_seconds", "gauge", "How old the second is that is told of here"));
    text.append("mammoth_console_age_seconds ")
        .append(NodeMetrics.number(Math.max(0, clock.millis() - moment.view().timeMs()), 1000))
        .append('\n');
    text.append(AlertMetrics.of(alerts.snapshot()));
    response.setContentType("text/plain; version=0.0.4; charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    AsyncBody.send(request, response, text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
