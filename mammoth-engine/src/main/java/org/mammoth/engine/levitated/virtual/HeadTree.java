// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import java.io.IOException;

/**
 * Tells which of the segments of a subtree has the least record: a tree of losers over {@link
 * Heads}. Among equal keys the segment that stands first comes first. One thread at a time.
 */
final class HeadTree {

  private final Heads heads;
  private final int[] losers;
  private final int[] winners;
  private int size;

  /** The segment whose next record is not here yet; -1 if there is none. */
  private int stuck;

  private boolean built;

  HeadTree(Heads heads, int segments) {
    this.heads = heads;
    this.losers = new int[Math.max(1, segments)];
    this.winners = new int[2 * Math.max(1, segments)];
  }

  void clear() {
    built = false;
    stuck = -1;
  }

  /** Sees to a winner; false if the record of some segment has to come first. */
  boolean ready() throws IOException {
    if (!built) {
      return build();
    }
    if (stuck >= 0) {
      if (heads.look(stuck) == Heads.SHORT) {
        return false;
      }
      replay(stuck);
      stuck = -1;
    }
    return true;
  }

  private boolean build() throws IOException {
    size = heads.size();
    for (int i = 0; i < size; i++) {
      if (heads.state[i] != Heads.END && heads.look(i) == Heads.SHORT) {
        return false;
      }
      winners[size + i] = i;
    }
    for (int node = size - 1; node > 0; node--) {
      int left = winners[2 * node];
      int right = winners[2 * node + 1];
      boolean leftWins = before(left, right);
      winners[node] = leftWins ? left : right;
      losers[node] = leftWins ? right : left;
    }
    losers[0] = size == 1 ? 0 : winners[1];
    built = true;
    return true;
  }

  /** The segment with the least record; all have ended if that has. */
  int winner() {
    return losers[0];
  }

  /**
   * Goes on to the next record of the winner, which was passed.
   *
   * @return false if that is not here yet
   */
  boolean next() throws IOException {
    int winner = losers[0];
    if (heads.look(winner) == Heads.SHORT) {
      stuck = winner;
      return false;
    }
    replay(winner);
    return true;
  }

  private void replay(int from) {
    int winner = from;
    for (int node = winner + size >>> 1; node > 0; node >>>= 1) {
      int loser = losers[node];
      if (before(loser, winner)) {
        losers[node] = winner;
        winner = loser;
      }
    }
    losers[0] = winner;
  }

  private boolean before(int left, int right) {
    boolean leftEnded = heads.state[left] == Heads.END;
    if (leftEnded || heads.state[right] == Heads.END) {
      return !leftEnded || heads.state[right] == Heads.END && left < right;
    }
    long leftPrefix = heads.prefix[left];
    long rightPrefix = heads.prefix[right];
    if (leftPrefix != rightPrefix) {
      return leftPrefix < rightPrefix;
    }
    if (!heads.order.decides(leftPrefix)) {
      int comparison =
          heads.order.compare(
              heads.arena,
              heads.keyAt[left],
              heads.keyLength[left],
              heads.arena,
              heads.keyAt[right],
              heads.keyLength[right]);
      if (comparison != 0) {
        return comparison < 0;
      }
    }
    return left < right;
  }
}
