// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import org.mammoth.console.live.Moment;
import org.mammoth.console.live.NodeRow;
import org.mammoth.console.model.EngineSample;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.web.PrometheusNames.Metric;
import org.mammoth.console.web.PrometheusNames.Source;

/**
 * Each node's row in Prometheus' text format. A number a node does not tell has no line. What
 * engines count since they started has a line for each of them: of a sum it could not be told
 * whether an engine began anew or another one ended.
 */
final class NodeMetrics {

  private NodeMetrics() {}

  static String of(Moment moment) {
    StringBuilder text = new StringBuilder();
    PrometheusNames.metrics()
        .forEach(
            (metric, sources) -> {
              head(text, metric);
              for (Source source : sources) {
                if (source.counted() == null) {
                  rows(text, metric.name(), source, moment);
                } else {
                  engines(text, metric.name(), source, moment);
                }
              }
            });
    return text.toString();
  }

  static void head(StringBuilder text, Metric metric) {
    text.append("# HELP ").append(metric.name()).append(' ').append(metric.help()).append('\n');
    text.append("# TYPE ").append(metric.name()).append(' ').append(metric.type()).append('\n');
  }

  private static void rows(StringBuilder text, String name, Source source, Moment moment) {
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

  private static void engines(StringBuilder text, String name, Source source, Moment moment) {
    for (NodeState node : moment.view().nodes().values()) {
      if (node.current() && node.sample() != null) {
        for (EngineSample engine : node.sample().engines()) {
          if (engine.told()) {
            text.append(name).append("{node=\"").append(escape(node.id()));
            text.append("\",engine=\"").append(escape(engine.id())).append("\"} ");
            text.append(number(source.counted().applyAsLong(engine), source.divisor()));
            text.append('\n');
          }
        }
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

  static String number(long value, long divisor) {
    return divisor == 1 ? Long.toString(value) : Double.toString((double) value / divisor);
  }

  private static String escape(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
