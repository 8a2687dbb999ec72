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
import org.mammoth.console.live.NodeRow;
import org.mammoth.console.live.Recorder;
import org.mammoth.console.model.Figures;
import org.mammoth.console.store.History;
import org.mammoth.console.web.PrometheusNames.Metric;
import org.mammoth.console.web.PrometheusNames.Source;

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
    StringBuilder text = new StringBuilder();
    Moment moment = recorder.moment();
    PrometheusNames.metrics()
        .forEach(
            (metric, sources) -> {
              head(text, metric);
              sources.forEach(source -> lines(text, metric.name(), source, moment));
            });
    Map<String, Long> reach = new TreeMap<>();
    moment.rows().values().forEach(row -> reach.merge(row.reach(), 1L, Long::sum));
    head(text, new Metric("mammoth_console_nodes", "gauge", "Nodes by how reading them ended"));
    reach.forEach(
        (name, count) ->
            text.append("mammoth_console_nodes{reach=\"")
                .append(name)
                .append("\"} ")
                .append(count)
                .append('\n'));
    head(text, new Metric("mammoth_console_streams", "gauge", "Pages that follow the cluster"));
    text.append("mammoth_console_streams ").append(hub.size()).append('\n');
    head(text, new Metric("mammoth_console_history_bytes", "gauge", "History on disk"));
    text.append("mammoth_console_history_bytes ").append(history.bytes()).append('\n');
    head(
        text,
        new Metric(
            "mammoth_console_age_seconds", "gauge", "How old the second is that is told of here"));
    text.append("mammoth_console_age_seconds ")
        .append(number(Math.max(0, clock.millis() - moment.view().timeMs()), 1000))
        .append('\n');
    text.append(AlertMetrics.of(alerts.snapshot()));
    response.setContentType("text/plain; version=0.0.4; charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    AsyncBody.send(request, response, text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void head(StringBuilder text, Metric metric) {
    text.append("# HELP ").append(metric.name()).append(' ').append(metric.help()).append('\n');
    text.append("# TYPE ").append(metric.name()).append(' ').append(metric.type()).append('\n');
  }

  private static void lines(StringBuilder text, String name, Source source, Moment moment) {
    int column = NodeRow.column(source.column());
    for (NodeRow row : moment.rows().values()) {
      long value = row.values()[column];
      if (shown(row, source) && Figures.known(value)) {
        text.append(name).append("{node=\"").append(escape(row.id())).append('"');
        text.append(source.label().isEmpty() ? "" : ",").append(source.label()).append("} ");
        text.append(number(value, source.divisor())).append('\n');
      }
    }
  }

  /** Of a node that cannot be read nothing is known but that; one of stock has nothing to read. */
  private static boolean shown(NodeRow row, Source source) {
    return row.reach().equals("OK")
        || source.column().equals("nodes")
            && !row.reach().equals("STOCK")
            && !row.reach().equals("NEW");
  }

  private static String number(long value, long divisor) {
    return divisor == 1 ? Long.toString(value) : Double.toString((double) value / divisor);
  }

  private static String escape(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
