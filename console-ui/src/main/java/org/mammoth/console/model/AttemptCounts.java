// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/** How many attempts of a job's tasks failed or were killed, as the history server tells. */
public record AttemptCounts(
    long mapsFailed, long mapsKilled, long reducesFailed, long reducesKilled) {

  public long failed() {
    return mapsFailed + reducesFailed;
  }
}
