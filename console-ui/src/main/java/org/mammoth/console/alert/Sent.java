// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a channel has delivered last of a rule.
 *
 * @param atMs when, milliseconds since 1970
 * @param firing when each alert that was said to fire fired, by its fingerprint
 */
record Sent(long atMs, Map<String, Long> firing) {

  /** The same on a clock that was set right since, as {@link Alert#notAfter} has its alerts. */
  Sent notAfter(long nowMs) {
    Map<String, Long> fired = new TreeMap<>(firing);
    fired.replaceAll((fingerprint, firedMs) -> Math.min(firedMs, nowMs));
    return new Sent(Math.min(atMs, nowMs), fired);
  }
}
