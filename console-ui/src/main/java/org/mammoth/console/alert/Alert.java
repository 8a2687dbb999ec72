// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.util.Map;
import java.util.SortedMap;

/**
 * What a rule says of one subject, from when it first held to when it is resolved. Immutable.
 *
 * @param fingerprint of the labels, as Alertmanager computes it
 * @param labels with alertname and severity
 * @param description what is known of why
 * @param remedy what to do, and which keys change when it fires
 * @param page the page of the console that shows it
 * @param sinceMs since when what it is about holds
 * @param firedMs 0 before it fires
 * @param resolvedMs 0 before it is resolved
 * @param untilMs until when it holds without being seen again, for what happens at one moment; else
 *     0
 * @param acknowledged null if nobody has said that they take care
 */
public record Alert(
    String fingerprint,
    String rule,
    Severity severity,
    Map<String, String> labels,
    String summary,
    String description,
    String remedy,
    String page,
    State state,
    long sinceMs,
    long firedMs,
    long resolvedMs,
    long untilMs,
    Acknowledgement acknowledged) {

  /** Where an alert is in its life. */
  public enum State {
    PENDING,
    FIRING,
    RESOLVED
  }

  static Alert pending(AlertRule rule, Finding finding, long nowMs) {
    SortedMap<String, String> labels = rule.labels(finding);
    return new Alert(
        Fingerprints.of(labels),
        rule.name(),
        rule.severity(),
        labels,
        finding.summary(),
        finding.description(),
        rule.remedy() + " " + keys(rule),
        rule.page(),
        State.PENDING,
        nowMs,
        0,
        0,
        finding.untilMs(),
        null);
  }

  private static String keys(AlertRule rule) {
    return "When it fires: " + String.join(", ", rule.keys()) + ".";
  }

  /** With what is said of it now. */
  Alert said(Finding finding) {
    return new Alert(
        fingerprint,
        rule,
        severity,
        labels,
        finding.summary(),
        finding.description(),
        remedy,
        page,
        state,
        sinceMs,
        firedMs,
        resolvedMs,
        finding.untilMs(),
        acknowledged);
  }

  Alert fired(long nowMs) {
    return with(State.FIRING, nowMs, 0, null);
  }

  Alert resolved(long nowMs) {
    return with(State.RESOLVED, firedMs, nowMs, acknowledged);
  }

  /**
   * The same on a clock that was set right since: what it says of later than now is of now, and
   * what is left to hold without being seen is over.
   */
  Alert notAfter(long nowMs) {
    return new Alert(
        fingerprint,
        rule,
        severity,
        labels,
        summary,
        description,
        remedy,
        page,
        state,
        Math.min(sinceMs, nowMs),
        Math.min(firedMs, nowMs),
        Math.min(resolvedMs, nowMs),
        firedMs > nowMs ? 0 : untilMs,
        acknowledged == null ? null : acknowledged.notAfter(nowMs));
  }

  /** With who takes care of it. */
  public Alert acknowledged(Acknowledgement by) {
    return with(state, firedMs, resolvedMs, by);
  }

  private Alert with(State next, long fired, long resolved, Acknowledgement by) {
    return new Alert(
        fingerprint,
        rule,
        severity,
        labels,
        summary,
        description,
        remedy,
        page,
        next,
        sinceMs,
        fired,
        resolved,
        untilMs,
        by);
  }

  /** A label, empty if it has none of that name. */
  public String label(String name) {
    return labels.getOrDefault(name, "");
  }
}
