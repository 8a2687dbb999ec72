// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.simulation;

/**
 * One job of a trace: it reads one data set whole, once.
 *
 * @param type what kind of job; a name of the paper's benchmarks gives its times, any other costs
 *     reading only
 * @param dataSet path of its input
 * @param blocks blocks of the input, at least 1
 * @param blockBytes length of each
 * @param localizedBytes localized data on all nodes together
 */
public record TraceJob(
    String type, String dataSet, int blocks, long blockBytes, long localizedBytes) {

  public TraceJob {
    if (blocks < 1 || blockBytes < 1 || localizedBytes < 0) {
      throw new IllegalArgumentException(
          "job '" + type + "' on " + dataSet + " has a size that cannot be");
    }
  }
}
