// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskCompletionEvent.Status;
import org.apache.hadoop.mapreduce.task.reduce.StockFetchers;
import org.junit.jupiter.api.Test;
import org.mammoth.mapreduce.events.MapEvents;

/** A reduce whose questions for events fail, by a clock that only the test moves. */
class CompletionEventsTest {

  private static final int TURNS = 5_000;

  private final List<Long> askedAt = new ArrayList<>();
  private final List<TaskCompletionEvent> passed = new ArrayList<>();
  private long millis;
  private boolean poked;
  private final MapEvents events =
      new MapEvents(10, () -> TimeUnit.MILLISECONDS.toNanos(this.millis));
  private final CompletionEvents completion =
      new CompletionEvents(events.reader(this::fail), 1, () -> this.millis);

  private MapTaskCompletionEventsUpdate fail(int from, int most) throws IOException {
    askedAt.add(millis);
    throw new IOException("the ApplicationMaster has no time");
  }

  private static MapTaskCompletionEventsUpdate answer(int from, int most) {
    TaskAttemptID map = TaskAttemptID.forName("attempt_7_0001_m_000000_0");
    TaskCompletionEvent event =
        new TaskCompletionEvent(0, map, 0, true, Status.SUCCEEDED, "http://a:1");
    return new MapTaskCompletionEventsUpdate(
        from == 0 ? new TaskCompletionEvent[] {event} : new TaskCompletionEvent[0], false);
  }

  /** A turn of the shuffle's loop, which waits no longer when it is poked. */
  private void turn() throws IOException {
    poked = false;
    int pause = completion.pass(passed::add);
    millis += poked ? 1 : Math.max(1, pause);
  }

  @Test
  void tenQuestionsOneTimeAfterTheOtherMayFailAsUpstream() {
    completion.onChange(() -> poked = true);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < TURNS; i++) {
                turn();
              }
            })
        .isInstanceOf(CompletionEvents.UnansweredException.class)
        .hasMessageContaining("too many failures downloading events");
    assertThat(askedAt).hasSize(10);
    for (int i = 1; i < askedAt.size(); i++) {
      assertThat(askedAt.get(i) - askedAt.get(i - 1)).isBetween(5_000L, 6_000L);
    }
  }

  @Test
  void whatAnotherReduceIsToldPassesMeanwhileAndCountsAsAnAnswer() throws IOException {
    completion.onChange(() -> poked = true);
    while (askedAt.size() < 9) {
      turn();
    }
    turn();
    assertThat(passed).isEmpty();
    MapEvents.Reader other = events.reader(CompletionEventsTest::answer);
    millis += 1_000;
    other.next(0, 100);
    turn();
    assertThat(passed).hasSize(1);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < TURNS; i++) {
                turn();
              }
            })
        .isInstanceOf(CompletionEvents.UnansweredException.class);
    assertThat(askedAt).hasSize(9 + 10);
  }

  /** People and tools look for the class and the message in a job's history. */
  @Test
  void theErrorIsThatOfUpstream() {
    IOException cause = new IOException("no");
    assertThat(StockFetchers.error("fetcher#3", cause))
        .hasToString(
            "org.apache.hadoop.mapreduce.task.reduce.Shuffle$ShuffleError:"
                + " error in shuffle in fetcher#3")
        .hasCause(cause);
  }
}
