// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

  MetricsServlet(Recorder recorder, History history, StreamHub hub, Alerts alerts) {
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
    for (int i = 0; i < NodeRow.COLUMNS.size(); i++) {
      String name = "mammoth_node_" + snake(NodeRow.COLUMNS.get(i));
      text.append("# TYPE ").append(name).append(" gauge\n");
      for (NodeRow row : moment.rows().values()) {
        if (row.reach().equals("OK") && Figures.known(row.values()[i])) {
          text.append(name).append("{node=\"").append(escape(row.id())).append("\"} ");
          text.append(row.values()[i]).append('\n');
        }
      }
    }
    Map<String, Long> reach = new TreeMap<>();
    moment.rows().values().forEach(row -> reach.merge(row.reach(), 1L, Long::sum));
    text.append("# TYPE mammoth_console_nodes gauge\n");
    reach.forEach(
        (name, count) ->
            text.append("mammoth_console_nodes{reach=\"")
                .append(name)
                .append("\"} ")
                .append(count)
                .append('\n'));
    text.append("# TYPE mammoth_console_streams gauge\nmammoth_console_streams ");
    text.append(hub.size()).append('\n');
    text.append("# TYPE mammoth_console_history_bytes gauge\nmammoth_console_history_bytes ");
    text.append(history.bytes()).append('\n');
    text.append(AlertMetrics.of(alerts.snapshot()));
    response.setContentType("text/plain; version=0.0.4; charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    AsyncBody.send(request, response, text.toString().getBytes(StandardCharsets.UTF_8));
  }

  static String snake(String camel) {
    return camel.replaceAll("([A-Z])", "_$1").toLowerCase(java.util.Locale.ROOT);
  }

  private static String escape(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
