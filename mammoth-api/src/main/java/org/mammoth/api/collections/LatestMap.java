// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.collections;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map that remembers so many entries and no more: what a daemon knows of the past must not grow
 * with its age. One thread at a time, as of any {@link LinkedHashMap}.
 */
public final class LatestMap<K, V> extends LinkedHashMap<K, V> {

  private static final long serialVersionUID = 1;

  private final int most;

  private LatestMap(int most, boolean byUse) {
    super(16, 0.75f, byUse);
    if (most < 1) {
      throw new IllegalArgumentException("A map of " + most + " entries remembers nothing");
    }
    this.most = most;
  }

  /**
   * Forgets what has not been read or written for longest; so {@code get} changes it, too.
   *
   * @param most entries, at least 1
   */
  public static <K, V> Map<K, V> byUse(int most) {
    return new LatestMap<>(most, true);
  }

  /**
   * Forgets what was put first, even if it is put again later.
   *
   * @param most entries, at least 1
   */
  public static <K, V> Map<K, V> byAge(int most) {
    return new LatestMap<>(most, false);
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
