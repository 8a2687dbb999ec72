// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.util.Map;
import java.util.TreeMap;
import org.mammoth.console.alert.Alert;
import org.mammoth.console.alert.Alerts;
import org.mammoth.console.alert.Delivery;

/** Alerts and their notifications in Prometheus' text format. */
final class AlertMetrics {

  private AlertMetrics() {}

  static String of(Alerts.Snapshot alerts) {
    StringBuilder text = new StringBuilder();
    text.append("# TYPE mammoth_console_alerts gauge\n");
    for (Alert.State state : new Alert.State[] {Alert.State.PENDING, Alert.State.FIRING}) {
      Map<String, Long> counts = new TreeMap<>();
      alerts.rules().forEach(rule -> counts.put(rule.name(), 0L));
      for (Alert alert : alerts.active()) {
        if (alert.state() == state) {
          counts.merge(alert.rule(), 1L, Long::sum);
        }
      }
      counts.forEach(
          (rule, count) ->
              text.append("mammoth_console_alerts{alertname=\"")
                  .append(rule)
                  .append("\",alertstate=\"")
                  .append(state.name().toLowerCase(java.util.Locale.ROOT))
                  .append("\"} ")
                  .append(count)
                  .append('\n'));
    }
    text.append("# TYPE mammoth_console_notifications_total counter\n");
    for (Delivery delivery : alerts.deliveries()) {
      line(text, "mammoth_console_notifications_total", delivery.channel(), delivery.sent());
    }
    text.append("# TYPE mammoth_console_notifications_failed_total counter\n");
    for (Delivery delivery : alerts.deliveries()) {
      line(
          text,
          "mammoth_console_notifications_failed_total",
          delivery.channel(),
          delivery.failed());
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String name, String channel, long value) {
    text.append(name).append("{channel=\"").append(channel).append("\"} ").append(value);
    text.append('\n');
  }
}
