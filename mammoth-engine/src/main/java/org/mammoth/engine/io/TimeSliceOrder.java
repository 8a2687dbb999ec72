// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.util.ArrayList;
import java.util.List;

/**
 * Whose turn it is on a disk.
 *
 * <p>The file of the best rank that has something to do is next; files of one rank, reads and
 * writes alike, take turns of one unit each. A file is overdue once it has waited {@code
 * agingNanos} for a turn. Of every {@code agingTurns} turns at most one goes to the file that has
 * been overdue longest among those of lower rank than the best. So the best rank keeps all turns
 * but one in {@code agingTurns}, and an overdue file with {@code k} others overdue is served within
 * {@code agingTurns * (k + 1)} turns.
 *
 * <p>Not thread-safe: guarded by the disk's lock.
 */
final class TimeSliceOrder {

  private final long agingNanos;
  private final int agingTurns;
  private final List<List<FileQueue>> ranks = new ArrayList<>();
  private int turnsSinceAged;

  TimeSliceOrder(long agingNanos, int agingTurns) {
    this.agingNanos = agingNanos;
    this.agingTurns = agingTurns;
    for (int rank = 0; rank < IoClass.RANKS; rank++) {
      ranks.add(new ArrayList<>());
    }
  }

  void add(FileQueue file) {
    ranks.get(file.rank()).add(file);
  }

  void remove(FileQueue file) {
    ranks.get(file.rank()).remove(file);
  }

  boolean hasNext() {
    return first(0) != null;
  }

  /** The file to serve now, put behind its equals; null if none has anything to do. */
  FileQueue next(long now) {
    FileQueue best = first(0);
    if (best == null) {
      return null;
    }
    turnsSinceAged++;
    if (turnsSinceAged >= agingTurns) {
      FileQueue overdue = overdue(best.rank() + 1, now);
      if (overdue != null) {
        turnsSinceAged = 0;
        best = overdue;
      }
    }
    List<FileQueue> equals = ranks.get(best.rank());
    equals.remove(best);
    equals.add(best);
    return best;
  }

  private FileQueue first(int fromRank) {
    for (int rank = fromRank; rank < ranks.size(); rank++) {
      for (FileQueue file : ranks.get(rank)) {
        if (file.ready()) {
          return file;
        }
      }
    }
    return null;
  }

  private FileQueue overdue(int fromRank, long now) {
    FileQueue longest = null;
    long longestWait = agingNanos;
    for (int rank = fromRank; rank < ranks.size(); rank++) {
      for (FileQueue file : ranks.get(rank)) {
        if (file.ready() && now - file.waitingSince() >= longestWait) {
          if (longest == null || now - file.waitingSince() > longestWait) {
            longest = file;
            longestWait = now - file.waitingSince();
          }
        }
      }
    }
    return longest;
  }
}
