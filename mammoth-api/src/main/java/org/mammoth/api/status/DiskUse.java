// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import java.util.List;

/**
 * A local disk and what waits for it.
 *
 * @param disk its name; {@code other} for files outside the local directories
 * @param inFlight reads and writes going on
 * @param longestInFlightMs how long the longest takes already; input is left out
 * @param dirs local directories on it
 * @param lanes requests by class and direction
 */
public record DiskUse(
    String disk, int inFlight, long longestInFlightMs, List<Dir> dirs, List<Lane> lanes) {

  public DiskUse {
    dirs = StatusJson.orEmpty(dirs);
    lanes = StatusJson.orEmpty(lanes);
  }

  /**
   * A local directory.
   *
   * @param path where it is
   * @param state HEALTHY, QUARANTINED or FULL
   * @param reason why it is left out, empty if it is not
   * @param retryInMs when it is tried next, 0 if it is in use or due
   */
  public record Dir(String path, String state, String reason, long retryInMs) {}

  /**
   * The files of one class and direction.
   *
   * @param ioClass ACTIVE, RECEIVE, SEND or SORT
   * @param direction READ or WRITE
   * @param files that are open
   * @param depthUnits requests that wait
   * @param heldBytes of memory in their queues
   * @param oldestAgeMs how long the oldest waits
   * @param totalBytes moved since the engine started
   * @param bytesPerSecond over about the last 5 s
   * @param errors since the engine started
   */
  public record Lane(
      String ioClass,
      String direction,
      int files,
      int depthUnits,
      long heldBytes,
      long oldestAgeMs,
      long totalBytes,
      double bytesPerSecond,
      long errors) {}
}
