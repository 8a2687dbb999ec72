// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.admission;

import java.util.Map;
import org.mammoth.api.collections.LatestMap;

/**
 * How many dying engines each task was running in. A task that keeps company with dying engines is
 * suspected of killing them and is kept out of the next one (quarantine), so that a fatal task
 * cannot take a node's work down for ever.
 *
 * <p>A task is named across its attempts, since each death ends an attempt. Thread-safe; remembers
 * the latest {@value #CAPACITY} tasks.
 */
public final class DeathRegister {

  private static final int CAPACITY = 10_000;

  private final int limit;
  private final Map<String, Integer> deaths = LatestMap.byUse(CAPACITY);

  /**
   * @param limit deaths from which a task is quarantined, at least 1
   */
  public DeathRegister(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit is " + limit);
    }
    this.limit = limit;
  }

  /** Notes that {@code task} was running when its engine died. */
  public synchronized void died(String task) {
    deaths.merge(task, 1, Integer::sum);
  }

  /** Whether {@code task} must run in a process of its own. */
  public synchronized boolean quarantined(String task) {
    return deaths.getOrDefault(task, 0) >= limit;
  }

  public synchronized int deathsOf(String task) {
    return deaths.getOrDefault(task, 0);
  }
}
