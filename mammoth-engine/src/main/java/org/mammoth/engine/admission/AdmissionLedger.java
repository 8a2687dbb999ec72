// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.admission;

import java.util.HashMap;
import java.util.Map;

/**
 * Who was admitted to the engine's share of the node, and for how much: an in-engine task holds
 * what its container asked for from admission to its end.
 *
 * <p>Bytes are not measured here, only promised: YARN already keeps the sum of all containers below
 * the node's memory, this keeps the in-engine part below the part the engine was sized for.
 *
 * <p>Thread-safe.
 */
public final class AdmissionLedger {

  private final long shareMb;
  private final Map<String, Long> admitted = new HashMap<>();
  private long usedMb;

  /**
   * @param shareMb MiB that may be promised at any time, at least 1
   */
  public AdmissionLedger(long shareMb) {
    if (shareMb < 1) {
      throw new IllegalArgumentException("the engine's share is " + shareMb + " MiB");
    }
    this.shareMb = shareMb;
  }

  /**
   * Admits a holder if its request fits.
   *
   * @return whether it was admitted; a holder already admitted keeps what it has
   */
  public synchronized boolean admit(String holder, long requestMb) {
    if (requestMb < 0) {
      throw new IllegalArgumentException(holder + " asks for " + requestMb + " MiB");
    }
    if (admitted.containsKey(holder)) {
      return true;
    }
    if (requestMb > shareMb - usedMb) {
      return false;
    }
    admitted.put(holder, requestMb);
    usedMb += requestMb;
    return true;
  }

  /** Gives back what a holder was promised; one that holds nothing is left alone. */
  public synchronized void release(String holder) {
    Long held = admitted.remove(holder);
    if (held != null) {
      usedMb -= held;
    }
  }

  public long shareMb() {
    return shareMb;
  }

  public synchronized long usedMb() {
    return usedMb;
  }

  public synchronized int holders() {
    return admitted.size();
  }
}
