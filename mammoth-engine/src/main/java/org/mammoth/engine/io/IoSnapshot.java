// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.nio.file.Path;
import java.util.List;

/**
 * The scheduler at one moment, for the console. Taken without stopping anyone: figures of different
 * files may be some microseconds apart.
 */
public record IoSnapshot(List<Disk> disks) {

  public IoSnapshot {
    disks = List.copyOf(disks);
  }

  /**
   * One disk.
   *
   * @param name what the {@link DiskDetector} calls it
   * @param inFlight reads and writes going on
   * @param longestInFlightMs how long the longest of them takes already, 0 if there is none
   */
  public record Disk(
      String name, List<Dir> dirs, List<Lane> lanes, int inFlight, long longestInFlightMs) {

    public Disk {
      dirs = List.copyOf(dirs);
      lanes = List.copyOf(lanes);
    }
  }

  /**
   * One configured local directory.
   *
   * @param reason why it is left out, empty if it is not
   * @param retryInMs when it is tried next, 0 if it is in use or the trial is due
   */
  public record Dir(Path path, DiskHealth.State state, String reason, long retryInMs) {}

  /**
   * The files of one class and direction on one disk.
   *
   * @param files how many are open
   * @param depthUnits requests that wait: pieces to be written, or units to be read ahead
   * @param heldBytes memory held by their queues
   * @param oldestAgeMs how long the oldest request waits, 0 if none does
   * @param totalBytes bytes moved since the start
   * @param bytesPerSecond over about the last 5 s
   * @param errors turns that failed since the start
   */
  public record Lane(
      IoClass ioClass,
      IoDirection direction,
      int files,
      int depthUnits,
      long heldBytes,
      long oldestAgeMs,
      long totalBytes,
      double bytesPerSecond,
      long errors) {}
}
