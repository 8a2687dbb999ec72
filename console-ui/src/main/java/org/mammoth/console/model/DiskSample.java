// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

import java.util.List;

/**
 * One disk of an engine's I/O scheduler at one moment.
 *
 * @param inFlight reads and writes going on
 * @param longestInFlightMs how long the longest of them takes already
 */
public record DiskSample(
    String name, int inFlight, long longestInFlightMs, List<Dir> dirs, List<Lane> lanes) {

  /** One configured local directory; {@code reason} is empty unless it is left out. */
  public record Dir(String path, String state, String reason, long retryInMs) {}

  /**
   * The files of one class and direction.
   *
   * @param depth requests that wait, in units
   * @param heldBytes memory held by their queues
   * @param oldestAgeMs how long the oldest request waits
   * @param totalBytes bytes moved since the engine started
   * @param bytesPerSecond over the last seconds
   * @param errors turns that failed since the engine started
   */
  public record Lane(
      String ioClass,
      String direction,
      int files,
      long depth,
      long heldBytes,
      long oldestAgeMs,
      long totalBytes,
      double bytesPerSecond,
      long errors) {}

  /** Requests that wait, of one class, in both directions. */
  public long depthOf(String ioClass) {
    return lanes.stream().filter(l -> l.ioClass().equals(ioClass)).mapToLong(Lane::depth).sum();
  }

  public long depth() {
    return lanes.stream().mapToLong(Lane::depth).sum();
  }

  public long heldBytes() {
    return lanes.stream().mapToLong(Lane::heldBytes).sum();
  }

  public long oldestAgeMs() {
    return lanes.stream().mapToLong(Lane::oldestAgeMs).max().orElse(0);
  }

  public long errors() {
    return lanes.stream().mapToLong(Lane::errors).sum();
  }

  /** Bytes per second of one direction, READ or WRITE. */
  public long rate(String direction) {
    return Math.round(
        lanes.stream()
            .filter(l -> l.direction().equals(direction))
            .mapToDouble(Lane::bytesPerSecond)
            .sum());
  }
}
