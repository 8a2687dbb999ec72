// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.master;

import java.util.LinkedHashMap;
import java.util.Map;
import org.mammoth.mpcache.policy.DataSetId;

/**
 * Tells where one access to a data set begins in a stream of block reads. A job's is its first read
 * of the set. Without a job it is a read after the set has rested, or of the block its last round
 * began with.
 *
 * <p>Bounded: the (reader, set) seen longest ago is forgotten; if it comes back it counts as a new
 * round. Not thread-safe.
 */
final class RoundTracker {

  private record Round(String reader, DataSetId set) {}

  private static final class Begun {
    long firstBlock;
    long lastNanos;
  }

  private final int bound;
  private final long restNanos;
  private final Map<Round, Begun> rounds = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param bound rounds remembered, at least 1
   * @param restNanos how long a set must rest before a read without a job begins a round
   */
  RoundTracker(int bound, long restNanos) {
    this.bound = bound;
    this.restNanos = restNanos;
  }

  boolean begins(String reader, DataSetId set, long blockId, long nanos) {
    Begun begun = rounds.get(new Round(reader, set));
    boolean anew =
        begun == null
            || reader.isEmpty()
                && (begun.firstBlock == blockId || nanos - begun.lastNanos > restNanos);
    if (begun == null) {
      begun = new Begun();
      rounds.put(new Round(reader, set), begun);
      if (rounds.size() > bound) {
        rounds.remove(rounds.keySet().iterator().next());
      }
    }
    if (anew) {
      begun.firstBlock = blockId;
    }
    begun.lastNanos = nanos;
    return anew;
  }
}
