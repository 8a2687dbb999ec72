// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.client.Fetch;
import org.mammoth.engine.shuffle.client.FetchRequest;

class FetchTest {

  private final Rig rig = rig();

  /** What it runs on. */
  Rig rig() {
    return new Rig();
  }

  private final Collected sink = new Collected();

  @BeforeEach
  void start() throws IOException {
    rig.conf.setInt("mammoth.shuffle.server.buffer-bytes", 64 << 10);
    rig.conf.setInt("mammoth.shuffle.connection.buffer-bytes", 32 << 10);
    rig.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    rig.close();
  }

  @AfterAll
  static void noLeaks() {
    Leaks.assertNone();
    assertThat(Leaks.notices()).as("the watch notices a leak").isTrue();
  }

  private Fetch fetch(FetchRequest request) {
    return rig.client.fetch(rig.address, request, sink);
  }

  @Test
  void aWholeSegmentComesWithItsDescription() throws Exception {
    SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_0", 3, 100_001);
    Fetch fetch = fetch(FetchRequest.whole(key));
    assertThat(Failures.get(fetch.future()))
        .isEqualTo(new SegmentInfo(key, 200_002, 100_001, 7, 0));
    assertThat(sink.info()).isEqualTo(new SegmentInfo(key, 200_002, 100_001, 7, 0));
    assertThat(sink.bytes()).isEqualTo(TestSource.bytes(key, 0, 100_001));
    assertThat(fetch.verifiedOffset()).isEqualTo(100_001);
  }

  @Test
  void aFirstBlockAndThenRangesMakeTheWhole() throws Exception {
    SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 50_000);
    long identity = Failures.get(fetch(FetchRequest.range(key, 0, 10_000)).future()).identity();
    Failures.get(fetch(new FetchRequest(key, 10_000, 30_000, identity, false)).future());
    Failures.get(fetch(new FetchRequest(key, 40_000, 30_000, identity, false)).future());
    assertThat(sink.bytes()).isEqualTo(TestSource.bytes(key, 0, 50_000));
  }

  @Test
  void aDescriptionAloneAndAnEmptySegmentNeedNoData() throws Exception {
    SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 50_000);
    SegmentKey empty = rig.source.add(Rig.JOB, "attempt_1_m_1", 0, 0);
    assertThat(Failures.get(fetch(FetchRequest.range(key, 0, 0)).future()).partLength())
        .isEqualTo(50_000);
    assertThat(Failures.get(fetch(FetchRequest.whole(empty)).future()).partLength()).isZero();
    assertThat(rig.source.reads).hasValue(0);
  }

  @Test
  void offsetsBeyondFourGibibytesAreExact() throws Exception {
    long far = (5L << 30) + 3;
    SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, far + 20_000);
    Fetch fetch = fetch(FetchRequest.range(key, far, Long.MAX_VALUE));
    assertThat(Failures.get(fetch.future()).partLength()).isEqualTo(far + 20_000);
    assertThat(sink.bytes()).isEqualTo(TestSource.bytes(key, far, 20_000));
    assertThat(fetch.verifiedOffset()).isEqualTo(far + 20_000);
  }

  @Test
  void whatIsNotThereIsSaidWithWhoWhatAndWhich() throws Exception {
    SegmentKey absent = new SegmentKey(Rig.JOB, "attempt_1_m_9", 4);
    FetchException why =
        Failures.of(fetch(FetchRequest.whole(absent)).future(), FetchException.class);
    assertThat(why.reason()).isEqualTo(Reason.NO_SUCH_OUTPUT);
    assertThat(why.key()).isEqualTo(absent);
    assertThat(why.peer()).isEqualTo(rig.address);
    assertThat(why).hasMessageContaining("attempt_1_m_9 partition 4 of job_1_0001");
  }

  @Test
  void aRangeOutsideAndAnotherIdentityAreRefused() throws Exception {
    SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 100);
    assertThat(
            Failures.of(fetch(FetchRequest.range(key, 101, 1)).future(), FetchException.class)
                .reason())
        .isEqualTo(Reason.BAD_RANGE);
    FetchRequest other = new FetchRequest(key, 10, 10, 8, false);
    assertThat(Failures.of(fetch(other).future(), FetchException.class).reason())
        .isEqualTo(Reason.CHANGED);
  }

  @Test
  void aReadErrorIsToldAndTheRestCanBeFetchedFromTheVerifiedOffset() throws Exception {
    SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 60_000);
    rig.source.hook =
        (segment, offset) -> {
          if (offset >= 20_480) {
            throw new IOException("bad sector");
          }
        };
    FetchRequest request = FetchRequest.whole(key);
    FetchException why = Failures.of(fetch(request).future(), FetchException.class);
    assertThat(why.reason()).isEqualTo(Reason.IO_ERROR);
    assertThat(why).hasMessageContaining("bad sector");
    assertThat(why.verifiedOffset()).isEqualTo(20_480);
    rig.source.hook = (segment, offset) -> {};
    Failures.get(fetch(request.resumed(why.verifiedOffset(), 7)).future());
    assertThat(sink.bytes()).isEqualTo(TestSource.bytes(key, 0, 60_000));
  }

  /** As a class that is missing, or a fault of the JVM: not even that leaves a reader's client. */
  @Test
  void anErrorOfAReaderIsToldAndItsMemoryComesBack() throws Exception {
    SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 60_000);
    rig.source.hook =
        (segment, offset) -> {
          throw new NoClassDefFoundError("org/example/Missing");
        };
    FetchException why = Failures.of(fetch(FetchRequest.whole(key)).future(), FetchException.class);
    assertThat(why).hasMessageContaining("org/example/Missing");
    rig.source.hook = (segment, offset) -> {};
    Failures.get(fetch(FetchRequest.whole(key)).future());
    assertThat(sink.bytes()).isEqualTo(TestSource.bytes(key, 0, 60_000));
    await().until(() -> rig.server.bytesHeld() == 0);
  }

  @Test
  void whoAsksForAJobThatIsOverProvesAgainThatItMay() throws Exception {
    SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 60_000);
    Failures.get(fetch(FetchRequest.whole(key)).future());
    rig.client.jobFinished(Rig.JOB);
    Collected again = new Collected();
    Failures.get(rig.client.fetch(rig.address, FetchRequest.whole(key), again).future());
    assertThat(again.bytes()).isEqualTo(TestSource.bytes(key, 0, 60_000));
    assertThat(rig.client.connections(rig.address)).isOne();
  }

  @Test
  void aSinkThatFailsEndsItsFetchOnly() throws Exception {
    SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 60_000);
    Fetch bad =
        rig.client.fetch(
            rig.address,
            FetchRequest.whole(key),
            (offset, data) -> {
              throw new IOException("no room");
            });
    Fetch good = fetch(FetchRequest.whole(key));
    assertThat(Failures.of(bad.future(), FetchException.class).reason()).isEqualTo(Reason.LOCAL);
    Failures.get(good.future());
    assertThat(sink.bytes()).isEqualTo(TestSource.bytes(key, 0, 60_000));
  }

  @Test
  void twoHundredStreamsShareTwoConnections() throws Exception {
    List<Fetch> fetches = new ArrayList<>();
    List<Collected> sinks = new ArrayList<>();
    rig.knows("job_1_0002");
    for (int i = 0; i < 200; i++) {
      String job = i % 2 == 0 ? Rig.JOB : "job_1_0002";
      SegmentKey key = rig.source.add(job, "attempt_1_m_" + i, i % 7, 30_000 + i);
      Collected each = new Collected();
      sinks.add(each);
      fetches.add(rig.client.fetch(rig.address, FetchRequest.whole(key), each));
    }
    for (int i = 0; i < 200; i++) {
      SegmentInfo info = Failures.get(fetches.get(i).future());
      assertThat(sinks.get(i).bytes())
          .isEqualTo(TestSource.bytes(info.key(), 0, (int) info.partLength()));
    }
    assertThat(rig.client.connections(rig.address)).isEqualTo(1);
    assertThat(rig.server.connections()).isEqualTo(1);
  }

  @Test
  void aReaderThatGivesNoCreditHoldsNothingAndSlowsNobody() throws Exception {
    SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 1 << 20);
    List<Collected> stalled = new ArrayList<>();
    List<Fetch> stalledFetches = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Collected each = new Collected();
      FetchRequest manual = new FetchRequest(key, 0, Long.MAX_VALUE, 0, true);
      Fetch fetch = rig.client.fetch(rig.address, manual, each);
      fetch.credit(1000);
      stalled.add(each);
      stalledFetches.add(fetch);
    }
    await().until(() -> stalled.stream().allMatch(each -> each.size() == 1000));
    Failures.get(fetch(FetchRequest.whole(key)).future());
    assertThat(sink.size()).isEqualTo(1 << 20);
    assertThat(stalled).allMatch(each -> each.size() == 1000);
    await().until(() -> rig.server.bytesHeld() == 0);
    stalledFetches.get(0).credit(Long.MAX_VALUE / 2);
    Failures.get(stalledFetches.get(0).future());
    assertThat(stalled.get(0).bytes()).isEqualTo(TestSource.bytes(key, 0, 1 << 20));
    stalledFetches.forEach(Fetch::cancel);
    await().until(() -> rig.source.open() == 0);
  }

  @Test
  void streamsTakeTurnsChunkByChunk() throws Exception {
    SegmentKey big = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 4 << 20);
    SegmentKey small = rig.source.add(Rig.JOB, "attempt_1_m_1", 0, 40_000);
    CountDownLatch go = new CountDownLatch(1);
    rig.source.hook =
        (key, offset) -> {
          try {
            go.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        };
    Collected bigSink = new Collected();
    Fetch bigFetch = rig.client.fetch(rig.address, FetchRequest.whole(big), bigSink);
    Fetch smallFetch = fetch(FetchRequest.whole(small));
    // At that moment: whoever is woken by it may come late.
    CompletableFuture<Integer> ofBig = smallFetch.future().thenApply(all -> bigSink.size());
    // A reader may have taken up both at once, and waits with the first.
    await().until(() -> rig.source.open() >= 1);
    go.countDown();
    // The small one was ten chunks; the big one, of a thousand, may have got a few times as many.
    assertThat(Failures.get(ofBig)).isLessThan(2 << 20);
    bigFetch.cancel();
    assertThat(Failures.of(bigFetch.future(), FetchException.class).reason())
        .isEqualTo(Reason.CANCELLED);
  }

  @Test
  void aFinishedJobIsServedNoMore() throws Exception {
    SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 1 << 20);
    Fetch fetch = fetch(new FetchRequest(key, 0, Long.MAX_VALUE, 0, true));
    await().until(() -> rig.source.open() == 1);
    rig.serverSecrets.remove(Rig.JOB);
    rig.server.jobFinished(Rig.JOB);
    assertThat(Failures.of(fetch.future(), FetchException.class).reason()).isEqualTo(Reason.GONE);
    Fetch again = fetch(FetchRequest.whole(key));
    assertThat(Failures.of(again.future(), FetchException.class).reason())
        .isIn(Reason.NOT_AUTHENTICATED, Reason.UNKNOWN_JOB);
  }

  /** A client that waits this long for a fetch, and much longer for a connection. */
  private void clientWithPatience(int millis) {
    rig.client.close();
    rig.conf.setInt("mammoth.shuffle.fetch.timeout-ms", millis);
    rig.client =
        new org.mammoth.engine.shuffle.client.ShuffleClient(
            org.mammoth.engine.shuffle.client.ClientSettings.from(rig.conf),
            rig.clientSecrets::get,
            rig.clientTls,
            rig.loops,
            rig.scheduler);
  }

  @Test
  void aSilentConnectionIsNotGivenToTheNextFetch() throws Exception {
    rig.conf.setInt("mammoth.shuffle.connections-per-node", 1);
    clientWithPatience(2_000);
    SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 60_000);
    try (FaultyProxy proxy = new FaultyProxy(rig.address)) {
      proxy.plan(FaultyProxy.Fault.SWALLOW, 20_000);
      FetchRequest request = FetchRequest.whole(key);
      FetchException why =
          Failures.of(
              rig.client.fetch(proxy.address(), request, sink).future(), FetchException.class);
      assertThat(why.reason()).isEqualTo(Reason.TIMEOUT);
      assertThat(why).hasMessageContaining("mammoth.shuffle.fetch.timeout-ms");
      FetchRequest rest = request.resumed(why.verifiedOffset(), 7);
      Failures.get(rig.client.fetch(proxy.address(), rest, sink).future());
      assertThat(sink.bytes()).isEqualTo(TestSource.bytes(key, 0, 60_000));
    }
  }

  @Test
  void aConnectionThatStillSpeaksOutlivesAStuckFetch() throws Exception {
    rig.conf.setInt("mammoth.shuffle.connections-per-node", 1);
    clientWithPatience(2_000);
    SegmentKey stuckKey = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 60_000);
    SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_1", 0, 60_000);
    CountDownLatch stuck = new CountDownLatch(1);
    rig.source.hook =
        (segment, offset) -> {
          try {
            if (segment.equals(stuckKey)) {
              stuck.await();
            }
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        };
    FetchRequest manual = new FetchRequest(key, 0, Long.MAX_VALUE, 0, true);
    Fetch other = fetch(manual);
    other.credit(1000);
    await().until(() -> sink.size() == 1000);
    Fetch bad = rig.client.fetch(rig.address, FetchRequest.whole(stuckKey), new Collected());
    assertThat(Failures.of(bad.future(), FetchException.class).reason()).isEqualTo(Reason.TIMEOUT);
    other.credit(1 << 20);
    Failures.get(other.future());
    assertThat(sink.bytes()).isEqualTo(TestSource.bytes(key, 0, 60_000));
    stuck.countDown();
  }

  @Test
  void anEndThatNeverComesIsWaitedForNoLongerThanData() throws Exception {
    clientWithPatience(2_000);
    SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 60_000);
    long said;
    try (FaultyProxy proxy = new FaultyProxy(rig.address)) {
      FetchRequest range = FetchRequest.range(key, 0, 10);
      Failures.get(rig.client.fetch(proxy.address(), range, sink).future());
      said = proxy.fromServer.get();
    }
    try (FaultyProxy proxy = new FaultyProxy(rig.address)) {
      proxy.plan(FaultyProxy.Fault.SWALLOW, said - 1);
      FetchRequest range = FetchRequest.range(key, 10, 10);
      Fetch fetch = rig.client.fetch(proxy.address(), range, sink);
      assertThat(Failures.of(fetch.future(), FetchException.class).reason())
          .isEqualTo(Reason.TIMEOUT);
      assertThat(fetch.verifiedOffset()).isEqualTo(20);
    }
  }

  @Test
  void nothingForTooLongFailsTheFetch() throws Exception {
    clientWithPatience(2_000);
    SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 60_000);
    CountDownLatch stuck = new CountDownLatch(1);
    rig.source.hook =
        (segment, offset) -> {
          if (offset == 8192) {
            try {
              stuck.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          }
        };
    Fetch fetch = fetch(FetchRequest.whole(key));
    FetchException why = Failures.of(fetch.future(), FetchException.class);
    assertThat(why.reason()).isEqualTo(Reason.TIMEOUT);
    assertThat(why.verifiedOffset()).isEqualTo(8192);
    assertThat(why).hasMessageContaining("mammoth.shuffle.fetch.timeout-ms");
    stuck.countDown();
  }
}
