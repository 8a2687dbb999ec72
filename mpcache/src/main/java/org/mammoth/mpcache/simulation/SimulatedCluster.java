// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.simulation;

/**
 * The cluster a trace is run on.
 *
 * @param slaves nodes, at least 1
 * @param cacheBytes SSD space of each
 * @param inputShare part that is always Input Cache
 * @param localizedShare part that is always Localized Cache
 * @param guard the tuner's guard value
 * @param seed of the placement of blocks
 */
public record SimulatedCluster(
    int slaves,
    long cacheBytes,
    double inputShare,
    double localizedShare,
    double guard,
    long seed) {

  /** Default shares, guard and placement. */
  public static SimulatedCluster of(int slaves, double cacheGiB) {
    return new SimulatedCluster(slaves, (long) (cacheGiB * (1L << 30)), 0.5, 0.1, 0.5, 1);
  }
}
