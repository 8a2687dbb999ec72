// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.master;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.mammoth.mpcache.simulation.TraceJob;

/**
 * The last reads of whole data sets, as a trace the simulator takes: what another policy or size
 * would have made of them. What a job spilled is not known here and is 0 in it. For one thread.
 */
final class TraceRing {

  /** Rounds are told apart by reader, not by program: all are of one type. */
  private static final String TYPE = "recorded";

  private final int limit;
  private final Deque<TraceJob> rounds = new ArrayDeque<>();

  TraceRing(int limit) {
    this.limit = limit;
  }

  /** Notes that a data set begins to be read. */
  void add(BlockResolver.Located read) {
    int blocks = Math.max(1, read.blocks());
    if (rounds.size() == limit) {
      rounds.removeFirst();
    }
    rounds.addLast(
        new TraceJob(TYPE, read.id().path(), blocks, Math.max(1, read.bytes() / blocks), 0));
  }

  /** The oldest first. */
  List<TraceJob> rounds() {
    return List.copyOf(rounds);
  }
}
