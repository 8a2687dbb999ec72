// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One rule. Immutable but for what its judge remembers; the ticking thread alone asks that.
 *
 * @param name as Prometheus users write it
 * @param page the page of the console that shows what it is about
 * @param forMs how long its condition has to hold before an alert fires, milliseconds
 * @param meaning when it fires, with its thresholds, for people
 * @param remedy what to do, for people
 * @param keys the configuration keys that change it
 */
record AlertRule(
    String name,
    Severity severity,
    String page,
    long forMs,
    String meaning,
    String remedy,
    List<String> keys,
    Judge judge) {

  /** Looks for what the rule is about. */
  interface Judge {
    /** Tells of each subject of which the condition holds now. */
    void look(Facts facts, Consumer<Finding> found);

    /** Whether it cannot be said of a subject that the condition holds no more. */
    default boolean unknown(Facts facts, Alert alert) {
      return facts.untold(alert.label("node"));
    }
  }

  SortedMap<String, String> labels(Finding finding) {
    SortedMap<String, String> labels = new TreeMap<>(finding.labels());
    labels.put("alertname", name);
    labels.put("severity", severity.label());
    return labels;
  }
}
