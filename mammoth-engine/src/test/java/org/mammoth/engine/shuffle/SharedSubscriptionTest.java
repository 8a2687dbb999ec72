// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.client.PushReceiver;
import org.mammoth.engine.shuffle.client.Subscription;
import org.mammoth.engine.shuffle.server.SegmentLengths;

/** Reduces of one engine that share their subscription at a node. */
class SharedSubscriptionTest {

  private static final int PARTITIONS = 4;
  private static final int LENGTH = 30_000;
  private static final long WINDOW = 20_000;

  private final Rig rig = rig();

  /** What it runs on. */
  Rig rig() {
    return new Rig();
  }

  @BeforeEach
  void start() throws IOException {
    // So that a second stream would be refused.
    rig.conf.setInt("mammoth.shuffle.connection.max-streams", 1);
    rig.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    rig.close();
  }

  @AfterAll
  static void noLeaks() {
    Leaks.assertNone();
  }

  /** Returns credit as soon as bytes come, unless it is told to keep it. */
  private final class Reduce implements PushReceiver {
    private final Map<SegmentKey, AtomicLong> received = new ConcurrentHashMap<>();
    private final Set<SegmentKey> complete = ConcurrentHashMap.newKeySet();
    private final int partition;

    /** Completed once it is subscribed; chunks may come before. */
    private final CompletableFuture<Subscription> subscribed = new CompletableFuture<>();

    private final Subscription subscription;
    private volatile boolean keeps;
    private volatile Runnable atOffer = () -> {};
    private final AtomicInteger disconnects = new AtomicInteger();
    private volatile Reason ended;

    Reduce(int partition) {
      this.partition = partition;
      subscription =
          rig.client.subscribeShared(
              rig.address, Rig.JOB, partition, "attempt_1_r_" + partition, WINDOW, this);
      subscribed.complete(subscription);
    }

    @Override
    public long offer(SegmentInfo segment) {
      assertThat(segment.key().partition()).isEqualTo(partition);
      atOffer.run();
      return complete.contains(segment.key())
          ? REFUSE
          : received.computeIfAbsent(segment.key(), key -> new AtomicLong()).get();
    }

    @Override
    public void chunk(SegmentInfo segment, long offset, ByteBuffer data) {
      int length = data.remaining();
      assertThat(received.get(segment.key()).getAndAdd(length)).isEqualTo(offset);
      for (long at = offset; data.hasRemaining(); at++) {
        assertThat(data.get()).isEqualTo(TestSource.byteAt(segment.key(), at));
      }
      if (!keeps) {
        subscribed.thenAccept(to -> to.credit(length));
      }
    }

    @Override
    public void complete(SegmentInfo segment) {
      complete.add(segment.key());
    }

    @Override
    public void failed(SegmentInfo segment, ShuffleException cause) {
      // offered again, from where it stopped
    }

    @Override
    public void disconnected(ShuffleException cause) {
      disconnects.incrementAndGet();
    }

    @Override
    public void ended(ShuffleException cause) {
      ended = cause.reason();
    }

    private boolean has(String attempt) {
      return complete.contains(new SegmentKey(Rig.JOB, attempt, partition));
    }
  }

  private void publish(String attempt) {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      rig.source.add(Rig.JOB, attempt, partition, LENGTH);
    }
    rig.pusher.published(
        Rig.JOB,
        attempt,
        new SegmentLengths() {
          @Override
          public int partitions() {
            return PARTITIONS;
          }

          @Override
          public long rawLength(int partition) {
            return 2 * LENGTH;
          }

          @Override
          public long partLength(int partition) {
            return LENGTH;
          }
        },
        rig.source.identity);
  }

  @Test
  void oneStreamCarriesAllPartitionsThatAreWanted() {
    publish("attempt_1_m_0");
    Reduce first = new Reduce(0);
    Reduce second = new Reduce(2);
    await().until(() -> first.has("attempt_1_m_0") && second.has("attempt_1_m_0"));
    Reduce late = new Reduce(3);
    publish("attempt_1_m_1");
    await().until(() -> first.has("attempt_1_m_1") && second.has("attempt_1_m_1"));
    await().until(() -> late.has("attempt_1_m_0") && late.has("attempt_1_m_1"));
    assertThat(rig.server.connections()).isEqualTo(1);
    assertThat(first.subscription.available()).isEqualTo(3 * WINDOW);
  }

  @Test
  void whoLeavesTakesNothingFromTheOthers() {
    Reduce first = new Reduce(0);
    Reduce leaving = new Reduce(1);
    leaving.keeps = true;
    publish("attempt_1_m_0");
    await().until(() -> first.has("attempt_1_m_0") || first.subscription.available() == 0);
    leaving.subscription.close();
    await().until(() -> first.has("attempt_1_m_0"));
    publish("attempt_1_m_1");
    await().until(() -> first.has("attempt_1_m_1"));
    assertThat(leaving.has("attempt_1_m_1")).isFalse();
    assertThat(first.subscription.available()).isEqualTo(WINDOW);
    // Reduces that come and go do not add to what is under way.
    for (int i = 0; i < 5; i++) {
      Reduce next = new Reduce(1);
      await().until(() -> next.has("attempt_1_m_1"));
      next.subscription.close();
    }
    publish("attempt_1_m_2");
    await().until(() -> first.has("attempt_1_m_2"));
    assertThat(first.subscription.available()).isBetween(WINDOW, 2 * WINDOW);
    first.subscription.close();
    await().until(() -> rig.source.open() == 0);
  }

  @Test
  void afterARestartAllAreServed() throws IOException {
    Reduce first = new Reduce(0);
    Reduce second = new Reduce(1);
    publish("attempt_1_m_0");
    await().until(() -> first.has("attempt_1_m_0") && second.has("attempt_1_m_0"));
    rig.restartServer();
    publish("attempt_1_m_1");
    await().until(() -> first.has("attempt_1_m_1") && second.has("attempt_1_m_1"));
  }

  @Test
  void whenTheJobIsOverAllAreToldAndTheNextOneBeginsAnew() {
    Reduce first = new Reduce(0);
    Reduce second = new Reduce(1);
    publish("attempt_1_m_0");
    await().until(() -> first.has("attempt_1_m_0") && second.has("attempt_1_m_0"));
    rig.serverSecrets.remove(Rig.JOB);
    rig.server.jobFinished(Rig.JOB);
    await().until(() -> first.ended == Reason.GONE && second.ended == Reason.GONE);
    first.subscription.close();
    rig.knows(Rig.JOB);
    publish("attempt_1_m_1");
    // The first one learns that the connection has forgotten the job.
    Reduce refused = new Reduce(0);
    await().until(() -> refused.ended == Reason.NOT_AUTHENTICATED);
    Reduce again = new Reduce(0);
    await().until(() -> again.has("attempt_1_m_1"));
  }

  /** As the next attempt of a reduce may, while the connection's thread is busy. */
  @Test
  void whoComesBackAtOnceIsServedOnTheSameConnection() throws Exception {
    Reduce first = new Reduce(0);
    Reduce leaving = new Reduce(1);
    publish("attempt_1_m_0");
    await().until(() -> first.has("attempt_1_m_0") && leaving.has("attempt_1_m_0"));
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Void> go = new CompletableFuture<>();
    first.atOffer =
        () -> {
          begun.countDown();
          go.join();
        };
    publish("attempt_1_m_1");
    begun.await();
    leaving.subscription.close();
    Reduce again = new Reduce(1);
    go.complete(null);
    await().until(() -> first.has("attempt_1_m_1"));
    await().until(() -> again.has("attempt_1_m_0") && again.has("attempt_1_m_1"));
    assertThat(first.disconnects).hasValue(0);
    assertThat(again.disconnects).hasValue(0);
  }

  @Test
  void twoAttemptsOfOneReduceDoNotDisturbEachOther() {
    Reduce first = new Reduce(0);
    publish("attempt_1_m_0");
    await().until(() -> first.has("attempt_1_m_0"));
    Reduce second = new Reduce(0);
    first.subscription.close();
    await().until(() -> second.has("attempt_1_m_0"));
  }
}
