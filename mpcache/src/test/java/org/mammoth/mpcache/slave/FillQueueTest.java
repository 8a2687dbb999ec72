// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** The executor is a list the test runs by hand. */
class FillQueueTest {

  private final Deque<Runnable> workers = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();
  private final FillQueue queue = new FillQueue(workers::add, 2, 3);

  private boolean offer(String name) {
    return queue.offer(() -> done.add(name));
  }

  @Test
  void threadsAndWaitingAreBounded() {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      assertThat(offer(name)).isTrue();
    }
    assertThat(offer("f")).isFalse();
    assertThat(workers).hasSize(2);
    assertThat(queue.waiting()).isEqualTo(3);
    assertThat(queue.dropped()).isEqualTo(1);
    assertThat(done).as("the offering thread does nothing itself").isEmpty();
  }

  @Test
  void aWorkerTakesWhatWaitsAndEnds() {
    for (String name : List.of("a", "b", "c", "d")) {
      offer(name);
    }
    workers.poll().run();
    assertThat(done).containsExactly("a", "c", "d");
    workers.poll().run();
    assertThat(done).containsExactly("a", "c", "d", "b");
    assertThat(queue.running()).isZero();
    offer("g");
    assertThat(workers).hasSize(1);
  }

  @Test
  void aFailureDoesNotStrandWhatWaits() {
    queue.offer(
        () -> {
          throw new IllegalStateException("broken");
        });
    offer("b");
    offer("c");
    assertThatThrownBy(() -> workers.poll().run()).hasMessage("broken");
    while (!workers.isEmpty()) {
      workers.poll().run();
    }
    assertThat(done).containsExactlyInAnyOrder("b", "c");
    assertThat(queue.running()).isZero();
  }

  @Test
  void anExecutorThatRefusesCostsOnlyTheFill() {
    FillQueue refused =
        new FillQueue(
            task -> {
              throw new RejectedExecutionException("stopping");
            },
            1,
            1);
    assertThat(refused.offer(() -> done.add("x"))).isFalse();
    assertThat(refused.running()).isZero();
    assertThat(refused.dropped()).isEqualTo(1);
  }

  @Test
  void closedItTakesNothing() {
    offer("a");
    offer("b");
    offer("c");
    queue.close();
    assertThat(offer("d")).isFalse();
    workers.poll().run();
    assertThat(done).containsExactly("a");
  }
}
