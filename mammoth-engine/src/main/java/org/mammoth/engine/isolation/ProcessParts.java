// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What few processes have, each part made once when it is first asked for. A part's maker may ask
 * for other parts: a map that makes its own values does not allow that, and fails where the two
 * happen to stand in one place of its table. Thread-safe; one part's maker holds up nobody who asks
 * for another.
 */
final class ProcessParts {
  /** Where a part is, or will be. */
  private static final class Place {
    private volatile Object part;
  }

  private final Map<Class<?>, Place> places = new ConcurrentHashMap<>();

  /**
   * The part of this type.
   *
   * @param maker called if there is none yet; if it fails there is none
   */
  <T> T of(Class<T> type, Supplier<? extends T> maker) {
    Place place = places.computeIfAbsent(type, t -> new Place());
    Object known = place.part;
    if (known == null) {
      synchronized (place) {
        known = place.part;
        if (known == null) {
          known = maker.get();
          place.part = known;
        }
      }
    }
    return type.cast(known);
  }
}
