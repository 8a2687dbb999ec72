// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/**
 * The most a job held at any time, as far as it was recorded.
 *
 * @param fromMs first moment that was recorded
 * @param toMs last one
 * @param peaks by JobUse's columns; unknown where nothing was recorded
 * @param untold why nothing is known; else empty
 */
public record JobPeaks(long fromMs, long toMs, long[] peaks, String untold) {

  /** Whether anything was recorded: the job was in an engine. */
  public boolean told() {
    return untold.isEmpty();
  }
}
