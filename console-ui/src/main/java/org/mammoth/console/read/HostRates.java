// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import org.mammoth.api.status.HostUse;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.HostSample;

/**
 * Makes rates of what a host says it has done since it started ({@link HostUse}). One thread at a
 * time.
 */
final class HostRates {

  /** Readings further apart say nothing of now. */
  private static final long APART_MS = 15_000;

  /** How many amounts of work rates are made of. */
  private static final int WORK = 6;

  private long atMs;
  private long[] done = Figures.unknown(WORK);
  private HostSample last;

  /**
   * Takes what a snapshot of this time says.
   *
   * @param host null if it tells nothing of its host
   * @return null in that case
   */
  HostSample take(HostUse host, long now) {
    if (host == null) {
      last = null;
      return null;
    }
    if (last != null && now == atMs) {
      // The NodeManager answers more than one reader with the same snapshot.
      return last;
    }
    long[] work = {
      told(host.cpuMs()),
      told(host.networkInBytes()),
      told(host.networkOutBytes()),
      told(host.diskReadBytes()),
      told(host.diskWrittenBytes()),
      told(host.diskBusyMs())
    };
    long[] rates = new long[WORK];
    for (int i = 0; i < WORK; i++) {
      rates[i] = rate(done[i], work[i], now - atMs);
    }
    atMs = now;
    done = work;
    last =
        new HostSample(
            told(host.cores()),
            rates[0],
            told(host.memoryBytes()),
            told(host.memoryAvailableBytes()),
            rates[1],
            rates[2],
            told(host.disks()),
            rates[3],
            rates[4],
            rates[5],
            told(host.localDirsUsedPercent()),
            told(host.badLocalDirs()));
    return last;
  }

  /** Per second. A host that was started again, or a clock that went back, has none at first. */
  private static long rate(long before, long now, long spanMs) {
    boolean known = Figures.known(before) && Figures.known(now) && now >= before;
    return known && spanMs > 0 && spanMs <= APART_MS
        ? Math.round((now - before) * 1000.0 / spanMs)
        : Figures.UNKNOWN;
  }

  private static long told(long value) {
    return value < 0 ? Figures.UNKNOWN : value;
  }
}
