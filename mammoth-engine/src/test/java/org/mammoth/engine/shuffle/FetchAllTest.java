// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.client.Fetch;
import org.mammoth.engine.shuffle.client.FetchRequest;

class FetchAllTest {

  private static final int SEGMENTS = 500;

  private final Rig rig = rig();

  /** What it runs on. */
  Rig rig() {
    return new Rig();
  }

  private final List<FetchRequest> requests = new ArrayList<>();
  private final List<Collected> sinks = new ArrayList<>();

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
  }

  private void add(FetchRequest request) {
    requests.add(request);
    sinks.add(new Collected());
  }

  private List<Fetch> fetchAll() {
    return rig.client.fetchAll(rig.address, requests, sinks);
  }

  @Test
  void manyRangesOfSeveralReducesComeInFewFrames() throws Exception {
    try (Recorder recorder = new Recorder(rig.address)) {
      for (int i = 0; i < SEGMENTS; i++) {
        SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_" + i, i % 3, 9_000 + i);
        add(new FetchRequest(key, i, 5_000, i % 2 == 0 ? 0 : 7, false));
      }
      List<Fetch> fetches = rig.client.fetchAll(recorder.address(), requests, sinks);
      for (int i = 0; i < SEGMENTS; i++) {
        SegmentKey key = requests.get(i).key();
        assertThat(Failures.get(fetches.get(i).future()))
            .isEqualTo(new SegmentInfo(key, 2 * (9_000 + i), 9_000 + i, 7, 0));
        assertThat(sinks.get(i).bytes()).isEqualTo(TestSource.bytes(key, i, 5_000));
      }
      // Half of that would be needed for the requests one by one.
      assertThat(recorder.said().length).isLessThan(SEGMENTS * 80);
    }
  }

  @Test
  void eachRangeFailsOrSucceedsByItself() throws Exception {
    SegmentKey good = rig.source.add(Rig.JOB, "attempt_1_m_0", 0, 100);
    SegmentKey absent = new SegmentKey(Rig.JOB, "attempt_1_m_9", 0);
    SegmentKey stranger = rig.source.add("job_1_0002", "attempt_2_m_0", 0, 100);
    rig.clientSecrets.put("job_1_0002", Rig.secret("job_1_0002"));
    add(FetchRequest.whole(good));
    add(FetchRequest.whole(absent));
    add(FetchRequest.range(good, 101, 1));
    add(new FetchRequest(good, 0, 10, 8, false));
    add(FetchRequest.whole(stranger));
    add(FetchRequest.range(good, 90, 100));
    List<Fetch> fetches = fetchAll();
    Reason[] reasons = {
      null, Reason.NO_SUCH_OUTPUT, Reason.BAD_RANGE, Reason.CHANGED, Reason.UNKNOWN_JOB, null
    };
    for (int i = 0; i < reasons.length; i++) {
      if (reasons[i] == null) {
        Failures.get(fetches.get(i).future());
      } else {
        assertThat(Failures.of(fetches.get(i).future(), FetchException.class).reason())
            .isEqualTo(reasons[i]);
      }
    }
    assertThat(sinks.get(0).bytes()).isEqualTo(TestSource.bytes(good, 0, 100));
    assertThat(sinks.get(5).bytes()).isEqualTo(TestSource.bytes(good, 90, 10));
  }

  @Test
  void creditGivenAtOnceIsNotLostBeforeTheRequest() throws Exception {
    for (int i = 0; i < SEGMENTS; i++) {
      SegmentKey key = rig.source.add(Rig.JOB, "attempt_1_m_" + i, 0, 3_000);
      add(new FetchRequest(key, 0, 3_000, 0, true));
    }
    List<Fetch> fetches = fetchAll();
    for (Fetch fetch : fetches) {
      fetch.credit(1_000);
      fetch.credit(2_000);
    }
    for (int i = 0; i < SEGMENTS; i++) {
      Failures.get(fetches.get(i).future());
      assertThat(sinks.get(i).size()).isEqualTo(3_000);
    }
  }

  @Test
  void cancellingSomeLeavesTheOthers() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    rig.source.hook =
        (key, offset) -> {
          try {
            go.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        };
    for (int i = 0; i < 100; i++) {
      add(FetchRequest.whole(rig.source.add(Rig.JOB, "attempt_1_m_" + i, 0, 6_000)));
    }
    List<Fetch> fetches = fetchAll();
    for (int i = 0; i < 100; i += 2) {
      fetches.get(i).cancel();
    }
    go.countDown();
    for (int i = 1; i < 100; i += 2) {
      Failures.get(fetches.get(i).future());
    }
    assertThat(fetches).allMatch(fetch -> fetch.future().isDone());
  }

  @Test
  void nothingListensThere() throws Exception {
    add(FetchRequest.whole(new SegmentKey(Rig.JOB, "attempt_1_m_0", 0)));
    add(FetchRequest.whole(new SegmentKey(Rig.JOB, "attempt_1_m_1", 0)));
    rig.server.close();
    await().until(() -> rig.server.connections() == 0);
    for (Fetch fetch : fetchAll()) {
      assertThat(Failures.of(fetch.future(), FetchException.class).reason())
          .isIn(Reason.UNREACHABLE, Reason.CUT);
    }
  }
}
