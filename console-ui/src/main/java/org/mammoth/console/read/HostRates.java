// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import com.fasterxml.jackson.databind.JsonNode;
import org.mammoth.console.model.Figures;
import org.mammoth.console.model.HostSample;

/**
 * Makes rates of what a host says it has done since it started (HostUse of docs/engine-json.md).
 * One thread at a time.
 */
final class HostRates {

  /** Readings further apart say nothing of now. */
  private static final long APART_MS = 15_000;

  private static final String[] WORK = {
    "cpuMs", "networkInBytes", "networkOutBytes", "diskReadBytes", "diskWrittenBytes", "diskBusyMs"
  };

  private long atMs;
  private long[] done = Figures.unknown(WORK.length);
  private HostSample last;

  /**
   * Takes a node's snapshot.
   *
   * @return null if it tells nothing of its host
   */
  HostSample take(JsonNode snapshot) {
    JsonNode host = snapshot.path("host");
    long now = snapshot.path("atMs").asLong();
    if (!host.isObject()) {
      last = null;
      return null;
    }
    if (last != null && now == atMs) {
      // The NodeManager answers more than one reader with the same snapshot.
      return last;
    }
    long[] work = new long[WORK.length];
    long[] rates = Figures.unknown(WORK.length);
    for (int i = 0; i < work.length; i++) {
      work[i] = told(host, WORK[i]);
      rates[i] = rate(done[i], work[i], now - atMs);
    }
    atMs = now;
    done = work;
    last =
        new HostSample(
            told(host, "cores"),
            rates[0],
            told(host, "memoryBytes"),
            told(host, "memoryAvailableBytes"),
            rates[1],
            rates[2],
            told(host, "disks"),
            rates[3],
            rates[4],
            rates[5],
            told(host, "localDirsUsedPercent"),
            told(host, "badLocalDirs"));
    return last;
  }

  /** Per second. A host that was started again, or a clock that went back, has none at first. */
  private static long rate(long before, long now, long spanMs) {
    boolean known = Figures.known(before) && Figures.known(now) && now >= before;
    return known && spanMs > 0 && spanMs <= APART_MS
        ? Math.round((now - before) * 1000.0 / spanMs)
        : Figures.UNKNOWN;
  }

  private static long told(JsonNode host, String field) {
    long value = host.path(field).asLong(-1);
    return value < 0 ? Figures.UNKNOWN : value;
  }
}
