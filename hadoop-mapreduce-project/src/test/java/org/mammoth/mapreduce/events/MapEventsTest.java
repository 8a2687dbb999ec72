// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.mapred.MapTaskCompletionEventsUpdate;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskCompletionEvent.Status;
import org.junit.jupiter.api.Test;

class MapEventsTest {

  private static final int MOST = 100;

  /** An ApplicationMaster, and a clock that only the test moves. */
  private final List<TaskCompletionEvent> master = new ArrayList<>();

  private final List<Long> askedAtMs = new ArrayList<>();
  private boolean reset;
  private long nowMs;

  private long nanoTime() {
    return TimeUnit.MILLISECONDS.toNanos(nowMs);
  }

  private MapTaskCompletionEventsUpdate ask(int from, int most) {
    askedAtMs.add(nowMs);
    boolean now = reset;
    reset = false;
    int first = now ? 0 : Math.min(from, master.size());
    int end = Math.min(master.size(), first + most);
    return new MapTaskCompletionEventsUpdate(
        master.subList(first, end).toArray(new TaskCompletionEvent[0]), now);
  }

  private static TaskAttemptID map(int map, int attempt) {
    return TaskAttemptID.forName(String.format("attempt_7_0001_m_%06d_%d", map, attempt));
  }

  private void told(TaskAttemptID attempt, Status status) {
    master.add(new TaskCompletionEvent(master.size(), attempt, 0, true, status, "http://a:1"));
  }

  private MapEvents events(int maps) {
    return new MapEvents(maps, this::nanoTime);
  }

  /** A reduce's loop, a millisecond at a time. */
  private void run(List<MapEvents.Reader> readers, int[] seen, long ms) throws IOException {
    for (long end = nowMs + ms; nowMs < end; nowMs++) {
      for (int i = 0; i < readers.size(); i++) {
        seen[i] += readers.get(i).next(seen[i], MOST).getMapTaskCompletionEvents().length;
      }
    }
  }

  @Test
  void anEngineAtRestAsksFiveTimesASecondHoweverManyReducesWait() throws IOException {
    for (int maps : new int[] {1, 100, 10_000}) {
      MapEvents events = events(maps);
      List<MapEvents.Reader> readers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        readers.add(events.reader(this::ask));
      }
      int[] seen = new int[8];
      run(readers, seen, 1_000);
      long before = events.asks();
      run(readers, seen, 10_000);
      assertThat(events.asks() - before).isBetween(9L, 50L);
    }
  }

  @Test
  void whatOneWasToldAllReadAndLateOnesToo() throws IOException {
    MapEvents events = events(3);
    MapEvents.Reader first = events.reader(this::ask);
    MapEvents.Reader second = events.reader(this::ask);
    told(map(0, 0), Status.SUCCEEDED);
    told(map(1, 0), Status.SUCCEEDED);
    assertThat(first.next(0, MOST).getMapTaskCompletionEvents()).hasSize(2);
    assertThat(second.next(0, MOST).getMapTaskCompletionEvents()).hasSize(2);
    MapEvents.Reader late = events.reader(this::ask);
    assertThat(late.next(0, 1).getMapTaskCompletionEvents()).hasSize(1);
    assertThat(late.next(1, 1).getMapTaskCompletionEvents()[0].getTaskAttemptId())
        .isEqualTo(map(1, 0));
    assertThat(askedAtMs).hasSize(1);
  }

  @Test
  void aMapOfTheOwnNodeIsAskedAfterAtOnce() throws IOException {
    MapEvents events = events(10);
    AtomicInteger woken = new AtomicInteger();
    MapEvents.Reader reader = events.reader(this::ask);
    int[] seen = new int[1];
    run(List.of(reader), seen, 5_000);
    Runnable end = events.onChange(woken::incrementAndGet);
    long done = nowMs;
    askedAtMs.clear();
    events.expect(map(0, 0));
    assertThat(woken).hasValue(1);
    assertThat(reader.pauseMs()).isLessThanOrEqualTo(15);
    run(List.of(reader), seen, 20);
    assertThat(askedAtMs.get(0)).isBetween(done + 3, done + 15);
    told(map(0, 0), Status.SUCCEEDED);
    run(List.of(reader), seen, 16);
    assertThat(seen[0]).isEqualTo(1);
    // What is known already is not waited for.
    events.expect(map(0, 0));
    run(List.of(reader), seen, 2_000);
    askedAtMs.clear();
    run(List.of(reader), seen, 1_000);
    assertThat(askedAtMs).hasSizeBetween(4, 5);
    end.run();
  }

  @Test
  void whatNeverComesIsNotWaitedForAtThatPace() throws IOException {
    MapEvents events = events(10);
    MapEvents.Reader reader = events.reader(this::ask);
    int[] seen = new int[1];
    events.expect(map(0, 0));
    run(List.of(reader), seen, 1_500);
    askedAtMs.clear();
    run(List.of(reader), seen, 1_000);
    assertThat(askedAtMs).hasSizeBetween(4, 5);
  }

  @Test
  void aFailedQuestionIsOnesOwnAndTheNextOneAsks() throws IOException {
    MapEvents events = events(3);
    MapEvents.Reader broken =
        events.reader(
            (from, most) -> {
              throw new IOException("its connection is gone");
            });
    MapEvents.Reader whole = events.reader(this::ask);
    told(map(0, 0), Status.SUCCEEDED);
    assertThatThrownBy(() -> broken.next(0, MOST)).hasMessageContaining("gone");
    int[] seen = new int[1];
    run(List.of(whole), seen, 400);
    assertThat(seen[0]).isEqualTo(1);
    assertThat(broken.next(0, MOST).getMapTaskCompletionEvents()).hasSize(1);
  }

  @Test
  void whatWasTakenBackIsToldAnewToEach() throws IOException {
    MapEvents events = events(3);
    MapEvents.Reader first = events.reader(this::ask);
    MapEvents.Reader second = events.reader(this::ask);
    told(map(0, 0), Status.SUCCEEDED);
    told(map(1, 0), Status.SUCCEEDED);
    first.next(0, MOST);
    second.next(0, MOST);
    master.clear();
    told(map(2, 0), Status.SUCCEEDED);
    reset = true;
    nowMs += 1_000;
    for (MapEvents.Reader reader : List.of(first, second)) {
      MapTaskCompletionEventsUpdate update = reader.next(2, MOST);
      assertThat(update.shouldReset()).isTrue();
      assertThat(update.getMapTaskCompletionEvents()).hasSize(1);
      assertThat(reader.next(1, MOST).shouldReset()).isFalse();
    }
  }

  @Test
  void aLateReduceIsNotSentToAnOutputThatIsLost() throws IOException {
    MapEvents events = events(3);
    MapEvents.Reader first = events.reader(this::ask);
    told(map(0, 0), Status.SUCCEEDED);
    first.next(0, MOST);
    told(map(0, 0), Status.FAILED);
    told(map(0, 1), Status.SUCCEEDED);
    nowMs += 1_000;
    first.next(1, MOST);
    TaskCompletionEvent[] all = events.reader(this::ask).next(0, MOST).getMapTaskCompletionEvents();
    assertThat(all)
        .extracting(TaskCompletionEvent::getTaskStatus)
        .containsExactly(Status.OBSOLETE, Status.FAILED, Status.SUCCEEDED);
  }

  @Test
  void aFullAnswerIsFollowedByTheNextQuestionAtOnce() throws IOException {
    MapEvents events = events(3);
    MapEvents.Reader reader = events.reader(this::ask);
    told(map(0, 0), Status.SUCCEEDED);
    told(map(1, 0), Status.SUCCEEDED);
    told(map(2, 0), Status.SUCCEEDED);
    for (int i = 0; i < 3; i++) {
      assertThat(reader.next(i, 1).getMapTaskCompletionEvents()).hasSize(1);
    }
  }

  @Test
  void anotherApplicationMasterBeginsAnew() throws IOException {
    MapEventsTable table = new MapEventsTable(this::nanoTime);
    MapEvents events = table.acquire("appattempt_1", 3);
    assertThat(table.acquire("appattempt_1", 3)).isSameAs(events);
    assertThat(table.acquire("appattempt_2", 3)).isNotSameAs(events);
    table.release("appattempt_1");
    assertThat(table.acquire("appattempt_1", 3)).isSameAs(events);
    table.release("appattempt_1");
    table.release("appattempt_1");
    assertThat(table.acquire("appattempt_1", 3)).isNotSameAs(events);
  }
}
