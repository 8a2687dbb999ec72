// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Map;

/**
 * Alerts of a rule of which nobody is told for a time.
 *
 * @param labels those the alerts must have; of the whole rule if empty
 * @param untilMs when it ends, milliseconds since 1970
 * @param user who asked for it
 * @param comment empty if nothing was said
 */
public record Mute(
    String id,
    String rule,
    Map<String, String> labels,
    long atMs,
    long untilMs,
    String user,
    String comment) {

  /** The same on a clock that was set right since: as long as it was asked for, from now. */
  Mute notAfter(long nowMs) {
    return atMs <= nowMs
        ? this
        : new Mute(id, rule, labels, nowMs, nowMs + (untilMs - atMs), user, comment);
  }

  /** Whether an alert is muted by it. */
  @JsonIgnore
  boolean covers(Alert alert, long nowMs) {
    return nowMs < untilMs
        && alert.rule().equals(rule)
        && alert.labels().entrySet().containsAll(labels.entrySet());
  }
}
