// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

import java.util.List;
import java.util.Map;

/**
 * What one NodeManager said of its engines.
 *
 * @param timeMs when the console read it
 * @param atMs when the node put it together, by its own clock
 * @param enabled whether the node takes tasks into engines
 * @param fallbacks how many tasks ran as ordinary containers
 * @param host what its host has and uses; null if it does not tell
 */
public record NodeSample(
    long timeMs,
    long atMs,
    boolean enabled,
    long shareMb,
    long admittedMb,
    long admittedTasks,
    long fallbacks,
    Map<String, Long> fallbackReasons,
    List<Fallback> lastFallbacks,
    HostSample host,
    List<EngineSample> engines) {

  /** A task that ran as an ordinary container, and why. */
  public record Fallback(long atMs, String container, String task, String reason) {}
}
