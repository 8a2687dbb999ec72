// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mammoth.config.ConfigKey;

/**
 * What administrators have switched off on this node until its NodeManager restarts. Any thread.
 */
final class Switches {

  private final Clock clock;
  private final Map<String, String> off = new ConcurrentHashMap<>();

  Switches(Clock clock) {
    this.clock = clock;
  }

  boolean isOn(ConfigKey<Boolean> key) {
    return !off.containsKey(key.name());
  }

  /** Completes "it runs in an ordinary container because"; empty while the key is on. */
  String reason(ConfigKey<Boolean> key) {
    String by = off.get(key.name());
    return by == null ? "" : key.name() + " is switched off on this node: " + by;
  }

  /** Whether that changed anything. */
  boolean turn(ConfigKey<Boolean> key, boolean on, String user) {
    if (on) {
      return off.remove(key.name()) != null;
    }
    String by = "by " + user + " since " + Instant.ofEpochMilli(clock.millis());
    return off.putIfAbsent(key.name(), by) == null;
  }
}
