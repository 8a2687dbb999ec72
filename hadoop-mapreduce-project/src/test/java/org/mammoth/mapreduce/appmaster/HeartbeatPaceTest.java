// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeartbeatPaceTest {

  private static final long LONGEST_MS = 100;
  private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(LONGEST_MS);
  private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(5);

  /** A clock that soon overflows, as {@link System#nanoTime} may. */
  private long now = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1);

  private HeartbeatPace pace = new HeartbeatPace(0, LONGEST_MS, now);

  /** Lets the time of the next question come, and asks. */
  private long ask() {
    long left = Math.max(0, pace.untilDue(now));
    now += left;
    pace.asks(now);
    return left;
  }

  private long askAfterLongSilence() {
    for (int i = 0; i < 100; i++) {
      ask();
    }
    return ask();
  }

  @Test
  void anAnswerIsSeenSoonAfterItCanBeHad() {
    long seed = System.nanoTime();
    System.out.println("HeartbeatPaceTest seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 10_000; round++) {
      now += random.nextInt(1_000_000_000);
      long happened = now;
      pace.happened(now);
      long answer = happened + (long) Math.exp(random.nextDouble() * Math.log(3e8));
      while (now - answer < 0) {
        ask();
      }
      long late = now - answer;
      assertThat(late)
          .isLessThanOrEqualTo(Math.max(SHORTEST, (answer - happened) / 3 + 1))
          .isLessThanOrEqualTo(LONGEST);
    }
  }

  @Test
  void whereNothingHappensItAsksSeldom() {
    pace.happened(now);
    long end = now + TimeUnit.SECONDS.toNanos(10);
    int questions = 0;
    while (now - end < 0) {
      ask();
      questions++;
    }
    assertThat(questions).isBetween(100, 120);
    assertThat(ask()).isEqualTo(LONGEST);
  }

  @Test
  void whatHappensInSilenceIsToldAtOnceButAfterItsWayThroughQueues() {
    askAfterLongSilence();
    now += LONGEST / 2;
    pace.happened(now);
    assertThat(ask()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(3));
  }

  @Test
  void muchThatHappensDoesNotPutAQuestionOff() {
    askAfterLongSilence();
    now += LONGEST / 2;
    pace.happened(now);
    long due = now + pace.untilDue(now);
    while (now - due < 0) {
      now += 100_000;
      pace.happened(now);
    }
    assertThat(pace.untilDue(now)).isLessThanOrEqualTo(0);
  }

  @Test
  void aLargeJobOfWhichSomethingIsAlwaysHappeningAsksNoMoreThanItMay() {
    pace = new HeartbeatPace(50, LONGEST_MS, now);
    ask();
    for (int i = 0; i < 100; i++) {
      pace.happened(now);
      assertThat(ask()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  @Test
  void aJobThatWantsToAskOftenMay() {
    pace = new HeartbeatPace(50, 2, now);
    ask();
    assertThat(ask()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(2));
    pace.happened(now);
    assertThat(ask()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(2));
  }
}
