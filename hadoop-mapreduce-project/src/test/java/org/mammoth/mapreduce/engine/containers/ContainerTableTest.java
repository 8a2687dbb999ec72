// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.mammoth.mapreduce.protocol.ContainerExit;

/** A container is started once at most, whatever arrives twice, late, or fails. */
class ContainerTableTest {

  private static final String[] NONE = {};

  private static final class Body implements ContainerTable.Body {
    private final ContainerLife life = new ContainerLife("c");
    private final Runnable start;
    private boolean discarded;

    Body(Runnable start) {
      this.start = start;
    }

    @Override
    public ContainerLife life() {
      return life;
    }

    @Override
    public void start() {
      start.run();
    }

    @Override
    public void discard() {
      discarded = true;
    }
  }

  private final ContainerTable<Body> table = new ContainerTable<>(System::nanoTime);
  private final AtomicInteger starts = new AtomicInteger();

  private String launch(String container) {
    return table.launch(container, () -> new Body(starts::incrementAndGet));
  }

  @Test
  void aLaunchThatArrivesAgainStartsNothing() throws InterruptedException {
    assertThat(launch("c")).isEmpty();
    assertThat(launch("c")).as("while it runs").isEmpty();
    table.ended(new ContainerExit("c", 0, ""));
    assertThat(launch("c")).as("after its end").isEmpty();
    assertThat(table.poll(NONE, 0).exits()).hasSize(1);
    assertThat(table.poll(new String[] {"c"}, 0).exits()).isEmpty();
    assertThat(launch("c")).as("after its end was taken note of").contains("has run here before");
    assertThat(starts).hasValue(1);
  }

  @Test
  void whatWasWithdrawnNeverStarts() {
    assertThat(table.withdraw("c")).isFalse();
    assertThat(launch("c")).contains("given it up");
    assertThat(launch("d")).isEmpty();
    assertThat(table.withdraw("d")).as("it runs").isTrue();
    table.ended(new ContainerExit("d", 0, ""));
    assertThat(table.withdraw("d")).as("it has run").isTrue();
    assertThat(starts).hasValue(1);
  }

  @Test
  void whatMayStillBeDeclinedIsNotReportedAsRunning() throws InterruptedException {
    List<List<String>> seen = new ArrayList<>();
    String declined =
        table.launch(
            "c",
            () -> {
              seen.add(poll());
              return new Body(
                  () -> {
                    seen.add(poll());
                    throw new OutOfMemoryError("unable to create native thread");
                  });
            });
    assertThat(declined).isNotEmpty();
    assertThat(seen).containsExactly(List.of(), List.of());
    assertThat(launch("d")).isEmpty();
    assertThat(table.poll(NONE, 0).running()).containsExactly("d");
  }

  private List<String> poll() {
    try {
      return table.poll(NONE, 0).running();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatCannotBeStartedLeavesNothing() {
    Body[] made = new Body[1];
    String declined =
        table.launch(
            "c",
            () -> {
              made[0] =
                  new Body(
                      () -> {
                        throw new OutOfMemoryError("unable to create native thread");
                      });
              return made[0];
            });
    assertThat(declined).contains("unable to create native thread");
    assertThat(made[0].discarded).isTrue();
    assertThat(table.runningCount()).isZero();
    assertThat(
            table.launch(
                "d",
                () -> {
                  throw new ContainerTable.DeclinedException("it has a job already");
                }))
        .isEqualTo("it has a job already");
    assertThat(
            table.launch(
                "e",
                () -> {
                  throw new IllegalStateException("no name");
                }))
        .contains("no name");
    table.drain("empty");
    assertThat(table.isOver()).isTrue();
  }

  @Test
  void whoeverAsksWhileItIsBeingMadeGetsTheSameAnswer() throws Exception {
    CountDownLatch making = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    CompletableFuture<String> first =
        CompletableFuture.supplyAsync(
            () ->
                table.launch(
                    "c",
                    () -> {
                      making.countDown();
                      try {
                        go.await();
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                      throw new ContainerTable.DeclinedException("no");
                    }));
    making.await();
    FutureTask<String> again = new FutureTask<>(() -> launch("c"));
    FutureTask<Boolean> withdrawn = new FutureTask<>(() -> table.withdraw("c"));
    for (FutureTask<?> each : List.of(again, withdrawn)) {
      Thread asking = new Thread(each, "asks meanwhile");
      asking.start();
      await().until(() -> asking.getState() != Thread.State.RUNNABLE);
    }
    assertThat(table.runningCount()).as("nobody waits under the lock").isEqualTo(1);
    go.countDown();
    assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("no");
    assertThat(again.get(10, TimeUnit.SECONDS))
        .isIn("no", "the NodeManager has given it up before");
    assertThat(withdrawn.get(10, TimeUnit.SECONDS)).isFalse();
    assertThat(starts).hasValue(0);
    assertThat(launch("c")).contains("given it up");
  }

  @Test
  void aPollAnswersWhenAContainerEndsAndTellsUntilItIsTakenNoteOf() throws Exception {
    launch("c");
    CompletableFuture<ContainerTable.Report> poll =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return table.poll(NONE, 60_000);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    table.ended(new ContainerExit("c", 3, ""));
    assertThat(poll.get(10, TimeUnit.SECONDS).exits())
        .containsExactly(new ContainerExit("c", 3, ""));
    assertThat(table.poll(NONE, 0).exits()).hasSize(1);
    table.drain("done");
    assertThat(launch("d")).contains("draining: done");
    assertThat(table.isOver()).isFalse();
    table.poll(new String[] {"c"}, 0);
    await().until(table::isOver);
  }
}
