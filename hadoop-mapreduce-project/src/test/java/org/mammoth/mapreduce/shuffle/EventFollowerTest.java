// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.MergeMode;
import org.mammoth.engine.sort.merge.SegmentInput;

/** While a reduce merges what stays at other nodes, somebody works on its inbox, come what may. */
class EventFollowerTest {

  private static final int UNITS = 64;
  private static final int SILENCE_MS = 30_000;
  private static final int LONG_S = 60;
  private static final TaskCompletionEvent[] NONE = {};

  @TempDir private Path temp;
  private final JobConf job = new JobConf();
  private final Semaphore rounds = new Semaphore(0);
  private TestNode node;
  private TestReduce reduce;
  private EventFollower follower;

  @BeforeEach
  void begin() throws Exception {
    node = new TestNode(temp.resolve("node"), job, true);
    node.startEngine();
    reduce =
        new TestReduce(
            temp.resolve("reduce"), job, UNITS, SILENCE_MS, MergeMode.LEVITATED, TestReduce.UNIT);
  }

  @AfterEach
  void end() throws Exception {
    if (follower != null) {
      follower.end();
    }
    reduce.close();
    node.close();
  }

  private void follow(EventFollower.Work work, EventFollower.Events events) {
    follower = new EventFollower("a reduce", work, events, reduce.levitation, () -> {});
    follower.start();
  }

  private void aRound(int millis) throws InterruptedException {
    rounds.release();
    new Semaphore(0).tryAcquire(millis / 100, TimeUnit.MILLISECONDS);
  }

  @Test
  void anApplicationMasterThatTimesOutDoesNotEndIt() throws Exception {
    CountDownLatch timedOut = new CountDownLatch(1);
    CountDownLatch askedAgain = new CountDownLatch(1);
    follow(
        this::aRound,
        () -> {
          if (timedOut.getCount() > 0) {
            timedOut.countDown();
            throw new SocketTimeoutException("120000 millis timeout");
          }
          askedAgain.countDown();
          return NONE;
        });
    assertThat(timedOut.await(LONG_S, TimeUnit.SECONDS)).isTrue();
    rounds.drainPermits();
    assertThat(rounds.tryAcquire(3, LONG_S, TimeUnit.SECONDS)).as("the inbox").isTrue();
    assertThat(askedAgain.await(LONG_S, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void anApplicationMasterThatIsSlowToAnswerHoldsUpNothing() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answers = new CountDownLatch(1);
    follow(
        this::aRound,
        () -> {
          asked.countDown();
          try {
            answers.await();
          } catch (InterruptedException e) {
            throw new InterruptedIOException("of a test");
          }
          return NONE;
        });
    assertThat(asked.await(LONG_S, TimeUnit.SECONDS)).isTrue();
    rounds.drainPermits();
    assertThat(rounds.tryAcquire(3, LONG_S, TimeUnit.SECONDS)).as("the inbox").isTrue();
    assertThat(answers.getCount()).isEqualTo(1);
  }

  @Test
  void somethingThatFailsDoesNotKeepItFromTheRest() throws Exception {
    AtomicInteger failing = new AtomicInteger(1);
    CountDownLatch asked = new CountDownLatch(1);
    follow(
        millis -> {
          if (failing.getAndDecrement() > 0) {
            throw new IllegalStateException("the engine's clock has ended");
          }
          aRound(millis);
        },
        () -> {
          asked.countDown();
          return NONE;
        });
    assertThat(rounds.tryAcquire(3, LONG_S, TimeUnit.SECONDS)).isTrue();
    assertThat(asked.await(LONG_S, TimeUnit.SECONDS)).isTrue();
  }

  /** A range whose source is gone is tried again by the follower, of which there is none then. */
  @Test
  void whereItsThreadMustEndTheMergeFailsInsteadOfWaiting() throws Exception {
    String map = node.write("attempt_7_0001_m_000000_0", 2_000, 0).attempt();
    reduce.succeeded(map, node);
    reduce.await(() -> reduce.levitated.size() == 1);
    SegmentInput input = reduce.openAll().get(map);
    node.killEngine();
    CountDownLatch waits = new CountDownLatch(1);
    follow(
        millis -> {
          waits.await();
          throw new OutOfMemoryError("of a test");
        },
        () -> NONE);
    Thread later =
        TestNode.thread(
            () -> {
              while (!reduce.levitation.isWaitedFor()) {
                Thread.onSpinWait();
              }
              waits.countDown();
            });
    later.start();
    assertThatThrownBy(() -> TestReduce.readAll(input)).hasMessageContaining(map);
    later.join();
    assertThat(reduce.levitation.broken()).as("maps to blame").isEmpty();
  }

  @Test
  void itEndsWhenItsReduceDoes() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    follow(
        millis -> {
          try {
            aRound(millis);
            Thread.sleep(millis);
          } catch (InterruptedException e) {
            ended.countDown();
            throw e;
          }
        },
        () -> NONE);
    rounds.acquire();
    follower.end();
    assertThat(ended.await(LONG_S, TimeUnit.SECONDS)).isTrue();
  }
}
