// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.events;

import java.util.concurrent.TimeUnit;

/**
 * When an engine asks an ApplicationMaster the next time. It asks often while something happens or
 * is about to, and then more and more seldom. A job of many maps runs on many engines that all ask
 * the same master, so each asks less often. Times are nanoseconds of one clock. Not thread-safe.
 */
final class AskingPace {

  private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(15);
  private static final long REST = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(1_000);

  /** What each map of a job adds: 2,000 maps are asked after five times a second at most. */
  private static final long EACH_MAP = TimeUnit.MICROSECONDS.toNanos(100);

  /** How long a master takes to make an event of what a task has told it, at least. */
  private static final long MASTERS_TURN = TimeUnit.MILLISECONDS.toNanos(3);

  private final long busy;
  private final long rest;
  private long pause;
  private long askedAt;
  private long next;

  AskingPace(int maps, long now) {
    busy = clamp(maps * EACH_MAP, SHORTEST, REST);
    rest = clamp(maps * EACH_MAP, REST, LONGEST);
    pause = busy;
    askedAt = now - busy;
    next = now;
  }

  private static long clamp(long value, long least, long most) {
    return Math.max(least, Math.min(most, value));
  }

  /** Time until it may ask; not positive if it may now. */
  long untilDue(long now) {
    return next - now;
  }

  void asked(long now) {
    askedAt = now;
  }

  /** There is more to be had at once. */
  void more() {
    next = askedAt;
  }

  /** Something has come, or is to come soon. */
  void lively() {
    pause = busy;
    next = askedAt + busy;
  }

  /** Nothing has come. */
  void quiet() {
    pause = Math.min(2 * pause, rest);
    next = askedAt + pause;
  }

  /** Nothing will come for all that is known. */
  void done() {
    pause = rest;
    next = askedAt + rest;
  }

  /** Something has just happened of which the master will tell. */
  void hint(long now) {
    pause = busy;
    long soon = Math.max(askedAt + busy, now + MASTERS_TURN);
    if (soon - next < 0) {
      next = soon;
    }
  }

  long rest() {
    return rest;
  }
}
