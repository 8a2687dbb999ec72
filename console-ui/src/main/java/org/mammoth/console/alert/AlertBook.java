// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What becomes of alerts: pending, firing, resolved. Time is what was seen to pass: a second in
 * which nothing was judged, or in which a subject was not known, counts neither for an alert nor
 * against it. One thread at a time.
 */
final class AlertBook {

  /** Most time that counts between two looks. */
  static final long MAX_STEP_MS = 5_000;

  /** Most alerts of one rule; what is beyond is not told. */
  static final int MOST_OF_RULE = 1_000;

  /** How many resolved alerts are kept, and for how long. */
  static final int MOST_RESOLVED = MOST_OF_RULE;

  private static final long RESOLVED_MS = 86_400_000;

  private final long resolveMs;
  private final Map<String, Entry> active = new LinkedHashMap<>();
  private final Deque<Alert> resolved = new ArrayDeque<>();
  private long lastMs = -1;

  private static final class Entry {
    private Alert alert;
    private long heldMs;
    private long clearMs;

    Entry(Alert alert) {
      this.alert = alert;
    }
  }

  /**
   * @param resolveMs how long a condition has to be gone before its alert is resolved
   */
  AlertBook(long resolveMs) {
    this.resolveMs = resolveMs;
  }

  /**
   * Takes over what an earlier process left: alerts that fired, and the last that were resolved.
   */
  void restore(List<Alert> firing, List<Alert> ended) {
    firing.forEach(alert -> active.put(alert.fingerprint(), new Entry(alert)));
    resolved.addAll(ended);
  }

  /** What a look at the rules came to, for one rule. */
  record Look(AlertRule rule, List<Finding> findings) {}

  /** Whether what an alert is about cannot be judged now. */
  interface Unknown {
    boolean test(Alert alert);
  }

  /**
   * One look at all rules.
   *
   * @return alerts that fired or were resolved by it
   */
  List<Alert> judge(long nowMs, List<Look> looks, Unknown unknown) {
    long step = lastMs < 0 ? 0 : Math.min(MAX_STEP_MS, Math.max(0, nowMs - lastMs));
    lastMs = nowMs;
    List<Alert> changes = new ArrayList<>();
    Map<String, Long> limits = new HashMap<>();
    Map<String, Entry> seen = new HashMap<>();
    for (Look look : looks) {
      limits.put(look.rule().name(), look.rule().forMs());
      long room = MOST_OF_RULE - count(look.rule().name());
      for (Finding finding : look.findings()) {
        room -= see(look.rule(), finding, nowMs, step, room > 0, seen) ? 1 : 0;
      }
    }
    for (Entry entry : List.copyOf(active.values())) {
      boolean holds = seen.containsKey(entry.alert.fingerprint()) || nowMs < entry.alert.untilMs();
      boolean changed =
          entry.alert.state() == Alert.State.PENDING
              ? fires(entry, holds, limits.getOrDefault(entry.alert.rule(), 0L), nowMs, unknown)
              : resolves(entry, holds, step, nowMs, unknown);
      if (changed) {
        changes.add(entry.alert);
      }
    }
    forget(nowMs);
    return changes;
  }

  /** One that is pending; whether it fires now. */
  private boolean fires(Entry entry, boolean holds, long forMs, long nowMs, Unknown unknown) {
    if (holds && entry.heldMs >= forMs) {
      entry.alert = entry.alert.fired(nowMs);
      return true;
    }
    if (!holds && !unknown.test(entry.alert)) {
      active.remove(entry.alert.fingerprint());
    }
    return false;
  }

  /** One that fires; whether it is resolved now. */
  private boolean resolves(Entry entry, boolean holds, long step, long nowMs, Unknown unknown) {
    if (holds) {
      entry.clearMs = 0;
    } else if (!unknown.test(entry.alert)) {
      entry.clearMs += step;
      if (entry.clearMs >= resolveMs) {
        active.remove(entry.alert.fingerprint());
        entry.alert = entry.alert.resolved(nowMs);
        resolved.addFirst(entry.alert);
        return true;
      }
    }
    return false;
  }

  private void forget(long nowMs) {
    while (!resolved.isEmpty()
        && (resolved.size() > MOST_RESOLVED
            || nowMs - resolved.getLast().resolvedMs() > RESOLVED_MS)) {
      resolved.removeLast();
    }
  }

  private long count(String rule) {
    return active.values().stream().filter(entry -> entry.alert.rule().equals(rule)).count();
  }

  /**
   * Notes that a condition holds.
   *
   * @param room whether there may be one alert more of the rule
   * @return whether there is
   */
  private boolean see(
      AlertRule rule,
      Finding finding,
      long nowMs,
      long step,
      boolean room,
      Map<String, Entry> seen) {
    Alert first = Alert.pending(rule, finding, nowMs);
    if (seen.containsKey(first.fingerprint())) {
      // Two engines of a node have the same: it is one alert.
      return false;
    }
    Entry entry = active.get(first.fingerprint());
    boolean made = entry == null;
    if (made && !room) {
      return false;
    }
    if (made) {
      entry = new Entry(first);
      active.put(first.fingerprint(), entry);
    } else {
      entry.alert = entry.alert.said(finding);
      entry.heldMs += step;
    }
    seen.put(first.fingerprint(), entry);
    return made;
  }

  /** Pending and firing alerts, the earliest first. */
  List<Alert> active() {
    return active.values().stream().map(entry -> entry.alert).toList();
  }

  /** Alerts that fire, the earliest first. */
  List<Alert> firing() {
    return active().stream().filter(alert -> alert.state() == Alert.State.FIRING).toList();
  }

  /** Alerts that were resolved within the last day, the latest first. */
  List<Alert> resolved() {
    return List.copyOf(resolved);
  }

  /** Puts changed versions of alerts that are active in the place of those. */
  void replace(Collection<Alert> changed) {
    for (Alert alert : changed) {
      Entry entry = active.get(alert.fingerprint());
      if (entry != null) {
        entry.alert = alert;
      }
    }
  }
}
