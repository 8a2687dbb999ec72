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
 * @param ended the last engines that have ended; empty if the node does not tell
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
    List<Ended> ended,
    HostSample host,
    List<EngineSample> engines) {

  /** Absent, as in what an earlier release wrote, is none. */
  public NodeSample {
    ended = ended == null ? List.of() : ended;
  }

  /**
   * An engine that has ended.
   *
   * @param lostContainers that it still had; 0 if it ended in order
   */
  public record Ended(String id, long lostContainers, String reason) {}

  /** A task that ran as an ordinary container, and why. */
  public record Fallback(long atMs, String container, String task, String reason) {}
}
