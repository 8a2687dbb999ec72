// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.appmaster;

import java.util.concurrent.TimeUnit;

/**
 * When an ApplicationMaster asks the ResourceManager the next time: often just after something has
 * happened, then more and more seldom. The pause is a third of the time since then, so that an
 * answer that takes {@code t} is seen after {@code 4/3 t}, and most questions are asked when there
 * may be an answer. Upstream asks at equal intervals, {@code
 * yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms}. Times are nanoseconds of one clock. Not
 * thread-safe.
 */
final class HeartbeatPace {

  private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(5);

  /** What happens reaches the questions by way of queues of the ApplicationMaster. */
  private static final long MASTERS_TURN = TimeUnit.MILLISECONDS.toNanos(3);

  private static final int PART = 3;

  private final long shortest;
  private final long longest;
  private long askedAt;
  private long happenedAt;

  /** The first thing that has happened since the last question. */
  private long newsSince;

  private boolean news;

  /**
   * One that may ask at once.
   *
   * @param shortestMs least pause where something happens all the time; five are the least
   * @param longestMs longest pause
   */
  HeartbeatPace(long shortestMs, long longestMs, long now) {
    longest = TimeUnit.MILLISECONDS.toNanos(longestMs);
    shortest = Math.min(longest, Math.max(SHORTEST, TimeUnit.MILLISECONDS.toNanos(shortestMs)));
    askedAt = now - longest;
    happenedAt = now;
  }

  /** Something has happened of which the ResourceManager is to be told, or is about to tell. */
  void happened(long now) {
    happenedAt = now;
    if (!news) {
      news = true;
      newsSince = now;
    }
  }

  /** It asks now. */
  void asks(long now) {
    askedAt = now;
    news = false;
  }

  /** Time until it is to ask; not positive if it is to now. */
  long untilDue(long now) {
    if (news) {
      long told = newsSince + Math.min(MASTERS_TURN, shortest);
      return Math.max(askedAt + shortest - now, told - now);
    }
    long pause = Math.max(shortest, Math.min(longest, (askedAt - happenedAt) / PART));
    return askedAt + pause - now;
  }
}
