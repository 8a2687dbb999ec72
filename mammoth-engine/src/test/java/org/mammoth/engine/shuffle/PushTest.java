// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.client.PushReceiver;
import org.mammoth.engine.shuffle.client.Subscription;
import org.mammoth.engine.shuffle.server.LocalSubscriber;
import org.mammoth.engine.shuffle.server.OutputLengths;
import org.mammoth.engine.shuffle.server.SegmentLengths;

class PushTest {

  private static final String REDUCE = "attempt_1_r_0";

  private final Rig rig = rig();

  /** What it runs on. */
  Rig rig() {
    return new Rig();
  }

  @BeforeEach
  void start() throws IOException {
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

  private static final class Received implements PushReceiver {
    private final Map<SegmentKey, ByteArrayOutputStream> bytes = new ConcurrentHashMap<>();
    private final List<SegmentKey> offers = new CopyOnWriteArrayList<>();
    private final List<SegmentKey> complete = new CopyOnWriteArrayList<>();
    private final List<Reason> failed = new CopyOnWriteArrayList<>();
    private final List<Reason> disconnected = new CopyOnWriteArrayList<>();
    private final List<Reason> ended = new CopyOnWriteArrayList<>();
    private final Set<String> refuse = ConcurrentHashMap.newKeySet();

    @Override
    public long offer(SegmentInfo segment) {
      offers.add(segment.key());
      if (refuse.contains(segment.key().mapAttempt()) || complete.contains(segment.key())) {
        return REFUSE;
      }
      return bytes.computeIfAbsent(segment.key(), key -> new ByteArrayOutputStream()).size();
    }

    @Override
    public void chunk(SegmentInfo segment, long offset, ByteBuffer data) {
      ByteArrayOutputStream to = bytes.get(segment.key());
      assertThat(offset).isEqualTo(to.size());
      byte[] copy = new byte[data.remaining()];
      data.get(copy);
      to.writeBytes(copy);
    }

    @Override
    public void complete(SegmentInfo segment) {
      complete.add(segment.key());
    }

    @Override
    public void failed(SegmentInfo segment, ShuffleException cause) {
      failed.add(cause.reason());
    }

    @Override
    public void disconnected(ShuffleException cause) {
      disconnected.add(cause.reason());
    }

    @Override
    public void ended(ShuffleException cause) {
      ended.add(cause.reason());
    }

    private int size(SegmentKey key) {
      ByteArrayOutputStream to = bytes.get(key);
      return to == null ? 0 : to.size();
    }
  }

  private SegmentKey publish(String attempt, int length) {
    for (int partition = 0; partition < 3; partition++) {
      rig.source.add(Rig.JOB, attempt, partition, length);
    }
    rig.pusher.published(Rig.JOB, attempt, lengths(length), rig.source.identity);
    return new SegmentKey(Rig.JOB, attempt, 1);
  }

  private static SegmentLengths lengths(int length) {
    return new SegmentLengths() {
      @Override
      public int partitions() {
        return 3;
      }

      @Override
      public long rawLength(int partition) {
        return length * 2L;
      }

      @Override
      public long partLength(int partition) {
        return length;
      }
    };
  }

  private Subscription subscribe(long credit, Received received) {
    return rig.client.subscribe(rig.address, Rig.JOB, 1, REDUCE, credit, received);
  }

  private static void awaitAll(Received received, SegmentKey... keys) {
    await().untilAsserted(() -> assertThat(received.complete).containsExactlyInAnyOrder(keys));
    for (SegmentKey key : keys) {
      byte[] got = received.bytes.get(key).toByteArray();
      assertThat(got).isEqualTo(TestSource.bytes(key, 0, got.length));
    }
  }

  @Test
  void aDamagedChunkCostsNoCredit() throws Exception {
    try (FaultyProxy proxy = new FaultyProxy(rig.address)) {
      proxy.plan(FaultyProxy.Fault.FLIP, 20_000);
      Received received = new Received();
      Subscription subscription =
          rig.client.subscribe(proxy.address(), Rig.JOB, 1, REDUCE, 80_000, received);
      awaitAll(received, publish("attempt_1_m_0", 50_000));
      assertThat(received.disconnected).isNotEmpty();
      assertThat(subscription.available()).isEqualTo(30_000);
      subscription.close();
    }
  }

  @Test
  void whatIsThereAndWhatComesIsPushed() {
    SegmentKey before = publish("attempt_1_m_0", 50_000);
    Received received = new Received();
    subscribe(1 << 20, received);
    awaitAll(received, before);
    SegmentKey after = publish("attempt_1_m_1", 60_000);
    SegmentKey empty = publish("attempt_1_m_2", 0);
    awaitAll(received, before, after, empty);
    assertThat(received.size(after)).isEqualTo(60_000);
    assertThat(received.offers).hasSize(3);
  }

  @Test
  void twoAttemptsOfAMapAreTwoSegments() {
    Received received = new Received();
    subscribe(1 << 20, received);
    SegmentKey first = publish("attempt_1_m_0_0", 30_000);
    SegmentKey second = publish("attempt_1_m_0_1", 30_000);
    awaitAll(received, first, second);
    assertThat(received.bytes.get(first).toByteArray())
        .isNotEqualTo(received.bytes.get(second).toByteArray());
  }

  @Test
  void creditBoundsWhatIsPushedAndTheStalledHindersNobody() {
    SegmentKey key = publish("attempt_1_m_0", 500_000);
    Received stalled = new Received();
    Subscription slow = subscribe(10_000, stalled);
    Received other = new Received();
    subscribe(1 << 20, other);
    awaitAll(other, key);
    await().until(() -> stalled.size(key) == 10_000);
    assertThat(slow.available()).isZero();
    assertThat(stalled.size(key)).isEqualTo(10_000);
    assertThat(rig.server.bytesHeld()).isZero();
    slow.credit(1 << 20);
    awaitAll(stalled, key);
  }

  @Test
  void aRefusedSegmentIsLeftToBePulledAndTheNextIsPushed() {
    Received received = new Received();
    received.refuse.add("attempt_1_m_0");
    subscribe(1 << 20, received);
    publish("attempt_1_m_0", 30_000);
    SegmentKey taken = publish("attempt_1_m_1", 30_000);
    awaitAll(received, taken);
    assertThat(received.bytes).containsOnlyKeys(taken);
    Collected pulled = new Collected();
    SegmentKey refused = new SegmentKey(Rig.JOB, "attempt_1_m_0", 1);
    rig.client.fetch(
        rig.address, org.mammoth.engine.shuffle.client.FetchRequest.whole(refused), pulled);
    await().until(() -> pulled.size() == 30_000);
  }

  @Test
  void whatIsWithdrawnHalfWayFailsAndTheRestGoesOn() {
    SegmentKey key = publish("attempt_1_m_0", 100_000);
    Received received = new Received();
    Subscription subscription = subscribe(20_000, received);
    await().until(() -> received.size(key) == 20_000);
    rig.pusher.withdrawn(Rig.JOB, "attempt_1_m_0");
    await().until(() -> received.failed.contains(Reason.REVOKED));
    SegmentKey next = publish("attempt_1_m_1", 30_000);
    subscription.credit(1 << 20);
    awaitAll(received, next);
    await().until(() -> rig.source.open() == 0);
  }

  @Test
  void aLostSourceFailsOneSegmentOnly() {
    Received received = new Received();
    subscribe(1 << 20, received);
    rig.pusher.published(Rig.JOB, "attempt_1_m_8", lengths(5_000), 7);
    SegmentKey good = publish("attempt_1_m_9", 5_000);
    awaitAll(received, good);
    await().untilAsserted(() -> assertThat(received.failed).containsExactly(Reason.NO_SUCH_OUTPUT));
  }

  @Test
  void afterARestartTheSubscriptionGoesOnWhereItStopped() throws IOException {
    SegmentKey whole = publish("attempt_1_m_0", 10_000);
    Received received = new Received();
    Subscription subscription = subscribe(30_000, received);
    awaitAll(received, whole);
    SegmentKey half = publish("attempt_1_m_1", 50_000);
    await().until(() -> received.size(half) == 20_000);
    rig.restartServer();
    await().until(() -> !received.failed.isEmpty());
    await().until(() -> received.offers.size() == 4);
    assertThat(received.complete).containsExactly(whole);
    subscription.credit(100_000);
    awaitAll(received, whole, half);
    assertThat(received.size(half)).isEqualTo(50_000);
    assertThat(received.ended).isEmpty();
  }

  @Test
  void aJobThatIsOverEndsItsSubscriptions() {
    Received received = new Received();
    subscribe(1000, received);
    SegmentKey key = publish("attempt_1_m_0", 5000);
    await().until(() -> received.size(key) == 1000);
    rig.serverSecrets.remove(Rig.JOB);
    rig.server.jobFinished(Rig.JOB);
    await().until(() -> received.ended.contains(Reason.GONE));
    assertThat(received.failed).containsExactly(Reason.GONE);
  }

  @Test
  void closingASubscriptionFreesItsSegment() {
    SegmentKey key = publish("attempt_1_m_0", 5000);
    Received received = new Received();
    Subscription subscription = subscribe(1000, received);
    await().until(() -> received.size(key) == 1000);
    assertThat(rig.source.open()).isEqualTo(1);
    subscription.close();
    await().until(() -> rig.source.open() == 0);
  }

  @Test
  void thousandsOfSegmentsPassThroughTheWindowOfOffers() {
    List<SegmentKey> keys = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      keys.add(publish("attempt_1_m_" + i, 100));
    }
    Received received = new Received();
    subscribe(1 << 20, received);
    await().until(() -> received.complete.size() == 1_000);
    assertThat(received.complete).containsExactlyInAnyOrderElementsOf(keys);
  }

  /** Lengths that are not in memory. */
  private record Away(int length, CountDownLatch disk) implements OutputLengths {

    @Override
    public int partitions() {
      return 3;
    }

    @Override
    public SegmentLengths inMemory() {
      return null;
    }

    @Override
    public SegmentLengths read() throws IOException {
      if (disk == null) {
        throw new IOException("the disk has lost them");
      }
      try {
        disk.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      return lengths(length);
    }
  }

  private SegmentKey publishAway(String attempt, int length, CountDownLatch disk) {
    for (int partition = 0; partition < 3; partition++) {
      rig.source.add(Rig.JOB, attempt, partition, length);
    }
    rig.pusher.published(Rig.JOB, attempt, new Away(length, disk), rig.source.identity);
    return new SegmentKey(Rig.JOB, attempt, 1);
  }

  @Test
  void lengthsOnADiskThatHangsKeepNobodyElseWaiting() {
    CountDownLatch disk = new CountDownLatch(1);
    try {
      SegmentKey away = publishAway("attempt_1_m_0", 30_000, disk);
      SegmentKey gone = publishAway("attempt_1_m_1", 30_000, disk);
      SegmentKey here = publish("attempt_1_m_2", 30_000);
      Received received = new Received();
      subscribe(1 << 20, received);
      awaitAll(received, here);
      Collected pulled = new Collected();
      rig.client.fetch(
          rig.address, org.mammoth.engine.shuffle.client.FetchRequest.whole(away), pulled);
      await().until(() -> pulled.size() == 30_000);
      SegmentKey later = publish("attempt_1_m_3", 30_000);
      awaitAll(received, here, later);
      rig.pusher.withdrawn(Rig.JOB, gone.mapAttempt());
      disk.countDown();
      awaitAll(received, here, later, away);
      assertThat(received.offers).doesNotContain(gone);
    } finally {
      disk.countDown();
    }
  }

  @Test
  void anOutputWhoseLengthsAreLostIsLeftToBePulled() {
    publishAway("attempt_1_m_0", 30_000, null);
    SegmentKey here = publish("attempt_1_m_1", 30_000);
    Received received = new Received();
    subscribe(1 << 20, received);
    awaitAll(received, here);
    publishAway("attempt_1_m_2", 30_000, null);
    SegmentKey later = publish("attempt_1_m_3", 30_000);
    awaitAll(received, here, later);
    assertThat(received.disconnected).isEmpty();
    assertThat(received.ended).isEmpty();
  }

  @Test
  void aReduceOfTheSameNodeIsToldWithoutASocket() {
    List<SegmentInfo> offered = new ArrayList<>();
    List<String> withdrawn = new ArrayList<>();
    SegmentKey early = publish("attempt_1_m_0", 100);
    Runnable end =
        rig.pusher.subscribeLocal(
            Rig.JOB,
            1,
            new LocalSubscriber() {
              @Override
              public void offered(SegmentInfo segment) {
                offered.add(segment);
              }

              @Override
              public void withdrawn(String mapAttempt) {
                withdrawn.add(mapAttempt);
              }
            });
    SegmentKey late = publish("attempt_1_m_1", 100);
    rig.pusher.withdrawn(Rig.JOB, "attempt_1_m_0");
    end.run();
    publish("attempt_1_m_2", 100);
    assertThat(offered).extracting(SegmentInfo::key).containsExactly(early, late);
    assertThat(withdrawn).containsExactly("attempt_1_m_0");
    assertThat(rig.server.connections()).isZero();
  }
}
