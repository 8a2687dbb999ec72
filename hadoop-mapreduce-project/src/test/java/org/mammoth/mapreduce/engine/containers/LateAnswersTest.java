// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LateAnswersTest {

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final LateAnswers answers = new LateAnswers(nanos::get);

  @Test
  void whoeverDoesNotEndHasItsTimeOnly() throws InterruptedException {
    assertThat(answers.awaitNone(1)).isTrue();
    answers.begin(null);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(LateAnswers.MOST_MS) - 1);
    assertThat(answers.awaitNone(1)).isFalse();
    nanos.incrementAndGet();
    assertThat(answers.awaitNone(1)).isTrue();
  }

  @Test
  void whoeverEndsIsNotWaitedFor() throws InterruptedException {
    answers.begin(null);
    answers.end(null);
    answers.end(null);
    assertThat(answers.awaitNone(1)).isTrue();
  }
}
