// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.console.alert.Acknowledgement;
import org.mammoth.console.alert.Alert;
import org.mammoth.console.alert.Alerts;
import org.mammoth.console.alert.Delivery;
import org.mammoth.console.alert.Mute;
import org.mammoth.console.alert.Severity;

/** What a viewer sees of alerts. */
final class AlertViews {

  private static final String JOB = "job";

  private AlertViews() {}

  /**
   * All alerts.
   *
   * @param firing how many fire and are not muted
   * @param critical how many of these are critical
   * @param pending how many are about to fire
   * @param groups those that fire, and those about to, by rule, the worst first
   * @param resolved the latest first
   * @param trouble why the state is not on disk, or alerts are not judged; empty if all is well
   */
  record AlertsView(
      long timeMs,
      int firing,
      int critical,
      int pending,
      List<AlertGroup> groups,
      List<Alert> resolved,
      List<Mute> mutes,
      List<Alerts.RuleView> rules,
      List<Delivery> deliveries,
      String trouble) {}

  /**
   * The alerts of one rule in one state.
   *
   * @param muted whether nobody is told of them
   * @param count how many there are, also those beyond {@code alerts}
   * @param acknowledged how many of them somebody takes care of
   * @param sinceMs since when the first of them holds
   */
  record AlertGroup(
      String rule,
      Severity severity,
      String page,
      Alert.State state,
      boolean muted,
      int count,
      int acknowledged,
      long sinceMs,
      List<Alert> alerts) {}

  static AlertsView of(Alerts.Snapshot all, Viewer viewer, int limit) {
    Map<String, List<Alert>> groups = new LinkedHashMap<>();
    int firing = 0;
    int critical = 0;
    int pending = 0;
    for (Alert alert : all.active()) {
      if (!sees(viewer, alert)) {
        continue;
      }
      boolean muted = all.muted().contains(alert.fingerprint());
      boolean fires = alert.state() == Alert.State.FIRING;
      pending += fires ? 0 : 1;
      firing += fires && !muted ? 1 : 0;
      critical += fires && !muted && alert.severity() == Severity.CRITICAL ? 1 : 0;
      String key = alert.state() + " " + muted + " " + alert.severity().ordinal() + alert.rule();
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(masked(alert, viewer));
    }
    List<AlertGroup> made = new ArrayList<>();
    groups.values().forEach(alerts -> made.add(group(all, alerts, limit)));
    made.sort(
        java.util.Comparator.comparing((AlertGroup group) -> -group.state().ordinal())
            .thenComparing(AlertGroup::severity)
            .thenComparing(AlertGroup::rule)
            .thenComparing(AlertGroup::muted));
    return new AlertsView(
        all.timeMs(),
        firing,
        critical,
        pending,
        made,
        all.resolved().stream()
            .filter(alert -> sees(viewer, alert))
            .limit(limit)
            .map(alert -> masked(alert, viewer))
            .toList(),
        all.mutes().stream().map(mute -> masked(mute, viewer)).toList(),
        all.rules(),
        all.deliveries().stream().map(one -> masked(one, viewer)).toList(),
        all.trouble());
  }

  private static AlertGroup group(Alerts.Snapshot all, List<Alert> alerts, int limit) {
    Alert first = alerts.get(0);
    return new AlertGroup(
        first.rule(),
        first.severity(),
        first.page(),
        first.state(),
        all.muted().contains(first.fingerprint()),
        alerts.size(),
        (int) alerts.stream().filter(alert -> alert.acknowledged() != null).count(),
        alerts.stream().mapToLong(Alert::sinceMs).min().orElseThrow(),
        List.copyOf(alerts.subList(0, Math.min(limit, alerts.size()))));
  }

  /** Alerts of jobs are for those who may see the job. */
  private static boolean sees(Viewer viewer, Alert alert) {
    return alert.label(JOB).isEmpty() || viewer.sees(alert.label("user"));
  }

  /** Who acknowledged it is for those who see all. */
  private static Alert masked(Alert alert, Viewer viewer) {
    Acknowledgement by = alert.acknowledged();
    return by == null || viewer.sees(by.user())
        ? alert
        : alert.acknowledged(new Acknowledgement("", by.atMs(), ""));
  }

  /** Where notifications go may be people's addresses. */
  private static Delivery masked(Delivery delivery, Viewer viewer) {
    return viewer.all()
        ? delivery
        : new Delivery(
            delivery.channel(),
            "",
            delivery.sent(),
            delivery.failed(),
            delivery.lastMs(),
            delivery.failingMs(),
            delivery.error().isEmpty() ? "" : "an administrator sees why");
  }

  private static Mute masked(Mute mute, Viewer viewer) {
    // Labels may name a user or a job.
    return viewer.sees(mute.user())
        ? mute
        : new Mute(mute.id(), mute.rule(), Map.of(), mute.atMs(), mute.untilMs(), "", "");
  }
}
