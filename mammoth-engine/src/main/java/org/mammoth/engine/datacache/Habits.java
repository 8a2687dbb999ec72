// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

import java.util.Map;
import java.util.regex.Pattern;
import org.mammoth.api.collections.LatestMap;

/**
 * Learns whose output is read soon after it was written. Folders that differ in numbers alone
 * ({@code /pr/iteration-7}, {@code /out-1699}) are one kind. A kind is kept until several of its
 * sets in a row were not read, and again as soon as one is. Not thread-safe.
 */
final class Habits {

  /** Sets in a row that may stay unread, of a kind that was never read. */
  static final int TRIALS = 3;

  /** The same, of a kind that was. */
  static final int PATIENCE = 8;

  private static final int MOST_KINDS = 1_000;
  private static final Pattern NUMBER = Pattern.compile("[0-9]+");

  private static final class Kind {
    int unread;
    boolean everRead;
  }

  private final Map<String, Kind> kinds = LatestMap.byUse(MOST_KINDS);

  /** The kind of a folder. */
  static String kindOf(String folder) {
    return NUMBER.matcher(folder).replaceAll("#");
  }

  /** Whether the next set of this kind is worth keeping. */
  boolean isWorthwhile(String kind) {
    Kind known = kinds.get(kind);
    return known == null || known.unread < (known.everRead ? PATIENCE : TRIALS);
  }

  /** Whether a set of this kind was read, and one of the last few. */
  boolean isLearned(String kind) {
    Kind known = kinds.get(kind);
    return known != null && known.everRead && known.unread < PATIENCE;
  }

  /** A set of this kind has begun to be written. */
  void written(String kind) {
    kinds.computeIfAbsent(kind, k -> new Kind()).unread++;
  }

  /** A set of this kind was read soon after. */
  void read(String kind) {
    Kind known = kinds.computeIfAbsent(kind, k -> new Kind());
    known.unread = 0;
    known.everRead = true;
  }
}
