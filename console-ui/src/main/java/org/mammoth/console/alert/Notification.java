// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What Alertmanager sends to its webhook receivers, in version 4 of that format. */
record Notification(
    String version,
    String groupKey,
    int truncatedAlerts,
    String status,
    String receiver,
    Map<String, String> groupLabels,
    Map<String, String> commonLabels,
    Map<String, String> commonAnnotations,
    String externalURL,
    List<Item> alerts) {

  /** Most alerts of one notification. */
  static final int MOST = 100;

  static final String RECEIVER = "mammoth-console";

  /** How Alertmanager writes that there is no time. */
  private static final String NEVER = "0001-01-01T00:00:00Z";

  private static final long BEFORE_MS = 900_000;

  /**
   * One alert.
   *
   * @param startsAt when it fired, as RFC 3339
   * @param endsAt when it was resolved
   * @param generatorURL the console's page at that moment
   */
  record Item(
      String status,
      Map<String, String> labels,
      Map<String, String> annotations,
      String startsAt,
      String endsAt,
      String generatorURL,
      String fingerprint) {}

  /**
   * The notification of a rule.
   *
   * @param alerts those that fire, and those that were resolved since the last one; {@link #MOST}
   *     at most
   * @param left how many there are besides
   * @param fires whether one of all fires
   */
  static Notification of(
      String rule, List<Alert> alerts, int left, boolean fires, String externalUrl) {
    List<Item> items = alerts.stream().map(alert -> item(alert, externalUrl)).toList();
    return new Notification(
        "4",
        "{}:{alertname=\"" + rule + "\"}",
        left,
        fires ? "firing" : "resolved",
        RECEIVER,
        Map.of("alertname", rule),
        common(items.stream().map(Item::labels).toList()),
        common(items.stream().map(Item::annotations).toList()),
        externalUrl,
        items);
  }

  /** What a test sends. */
  static Notification test(long nowMs, String externalUrl) {
    TreeMap<String, String> labels = new TreeMap<>();
    labels.put("alertname", "ConsoleTest");
    labels.put("severity", Severity.INFO.label());
    Alert alert =
        new Alert(
            Fingerprints.of(labels),
            "ConsoleTest",
            Severity.INFO,
            labels,
            "A test of notifications",
            "An administrator of the Mammoth console has asked for it.",
            "There is nothing to do.",
            "alerts",
            Alert.State.RESOLVED,
            nowMs,
            nowMs,
            nowMs,
            0,
            null);
    return of("ConsoleTest", List.of(alert), 0, false, externalUrl);
  }

  private static Item item(Alert alert, String externalUrl) {
    boolean fires = alert.state() == Alert.State.FIRING;
    return new Item(
        fires ? "firing" : "resolved",
        alert.labels(),
        Map.of(
            "summary", alert.summary(), "description", alert.description() + " " + alert.remedy()),
        Instant.ofEpochMilli(alert.firedMs()).toString(),
        fires ? NEVER : Instant.ofEpochMilli(alert.resolvedMs()).toString(),
        link(alert, externalUrl),
        alert.fingerprint());
  }

  /** The page that shows what it is about, around the moment it fired at. */
  private static String link(Alert alert, String externalUrl) {
    StringBuilder link = new StringBuilder(externalUrl).append("#/").append(alert.page());
    link.append("?from=").append(alert.sinceMs() - BEFORE_MS);
    link.append("&to=").append(alert.firedMs() + BEFORE_MS);
    for (String name : List.of("node", "job", "disk")) {
      if (!alert.label(name).isEmpty()) {
        link.append('&').append(name).append('=');
        link.append(URLEncoder.encode(alert.label(name), StandardCharsets.UTF_8));
      }
    }
    return link.toString();
  }

  /** What is the same in all. */
  private static Map<String, String> common(List<Map<String, String>> all) {
    Map<String, String> common = new TreeMap<>(all.isEmpty() ? Map.of() : all.get(0));
    List<Map<String, String>> others = new ArrayList<>(all);
    others.forEach(other -> common.entrySet().retainAll(other.entrySet()));
    return common;
  }
}
