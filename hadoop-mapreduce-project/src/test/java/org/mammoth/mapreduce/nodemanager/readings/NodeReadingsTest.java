// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.readings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mammoth.api.status.EngineDecisions;
import org.mammoth.api.status.NodeDecisions;
import org.mammoth.api.status.NodeSnapshot;
import org.mammoth.api.status.StatusJson;

/** What a node tells of engines that answer, fail and hang. */
class NodeReadingsTest {

  private static final StatusJson JSON = new StatusJson();
  private static final int HUNG = 13;

  /** An engine with as many decisions as the test likes. */
  private static final class Fake implements ReadableEngine {
    private final String id;
    private final AtomicInteger asked = new AtomicInteger();
    private final List<Long> from = new ArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean hangs;
    private volatile long decisions;
    private volatile int kept = 1024;

    Fake(String id) {
      this.id = id;
    }

    @Override
    public String engineId() {
      return id;
    }

    @Override
    public String user() {
      return "ann";
    }

    @Override
    public long pid() {
      return 4711;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public String snapshotJson() throws IOException {
      asked.incrementAndGet();
      if (hangs) {
        try {
          released.await();
        } catch (InterruptedException e) {
          throw new IOException("interrupted");
        }
      }
      return "{\"version\":1,\"engineId\":\"" + id + "\",\"atMs\":" + asked.get() + "}";
    }

    @Override
    public String decisionsJson(long first, int atMost) {
      from.add(first);
      long begin = Math.max(first < 0 ? decisions - atMost : first, Math.max(0, decisions - kept));
      List<EngineDecisions.Decision> page = new ArrayList<>();
      for (long i = begin; i < decisions && page.size() < atMost; i++) {
        page.add(
            new EngineDecisions.Decision(
                i, 0, "GRANT", "ann", "job_1", "a", "SORT", decisions, "ROOM", "", "", 0));
      }
      return JSON.write(new EngineDecisions(1, id, decisions, page));
    }
  }

  private final List<Fake> tasks = new ArrayList<>();
  private final List<Fake> hosts = new ArrayList<>();

  /** Until then engines answer on the reader's own thread, so that nothing depends on speed. */
  private volatile boolean anyHangs;

  private final AtomicLong leapMs = new AtomicLong();
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final NodeReadings readings =
      new NodeReadings(
          () -> tasks,
          () -> hosts,
          (atMs, engines) ->
              new NodeSnapshot(
                  1,
                  atMs,
                  true,
                  100,
                  50,
                  2,
                  new NodeSnapshot.Fallbacks(0, Map.of(), null),
                  null,
                  null,
                  engines),
          task -> (anyHangs ? executor : (Executor) Runnable::run).execute(task),
          Clock.systemUTC(),
          () -> System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(leapMs.get()));

  @AfterEach
  void release() {
    tasks.forEach(engine -> engine.released.countDown());
    executor.shutdownNow();
  }

  private Fake engine(String id) {
    Fake engine = new Fake(id);
    tasks.add(engine);
    return engine;
  }

  private NodeSnapshot snapshot() throws IOException {
    return JSON.read(readings.snapshotJson(), NodeSnapshot.class);
  }

  private NodeDecisions.Engine decisions(int atMost) throws IOException {
    return JSON.read(readings.decisionsJson(atMost), NodeDecisions.class).engines().get(0);
  }

  @Test
  void allEnginesAreThereWithTheirRoles() throws IOException {
    engine("e1");
    hosts.add(new Fake("h1"));
    NodeSnapshot node = snapshot();
    assertThat(node.engines())
        .extracting(NodeSnapshot.Engine::role)
        .containsExactly("TASKS", "APP_MASTERS");
    assertThat(node.engines())
        .extracting(engine -> engine.snapshot().engineId())
        .containsExactly("e1", "h1");
    assertThat(node.engines()).allMatch(engine -> engine.problem().isEmpty());
    assertThat(readings.engines()).hasSize(1);
  }

  @Test
  void readersWithinHalfASecondCostOneCall() throws IOException {
    Fake engine = engine("e1");
    for (int reader = 0; reader < 20; reader++) {
      readings.snapshotJson();
      readings.decisionsJson(64);
      readings.engines();
    }
    // On a machine that stalls for half a second there may be one more.
    assertThat(engine.asked.get()).isLessThanOrEqualTo(3);
    int before = engine.asked.get();
    leapMs.addAndGet(EngineWatch.FRESH_MS + 1);
    assertThat(snapshot().engines().get(0).ageMs()).isLessThan(EngineWatch.FRESH_MS);
    assertThat(engine.asked.get()).isGreaterThan(before);
  }

  @Test
  void hungEnginesHoldNobodyUpForASecond() throws IOException {
    Fake well = engine("well");
    for (int i = 0; i < HUNG; i++) {
      engine("hung" + i);
    }
    snapshot();
    tasks.stream().filter(engine -> engine != well).forEach(engine -> engine.hangs = true);
    anyHangs = true;
    leapMs.addAndGet(60_000);
    // As /jmx does it: every attribute, one after the other.
    long before = System.nanoTime();
    NodeSnapshot node = snapshot();
    for (int attribute = 0; attribute < HUNG; attribute++) {
      readings.decisionsJson(1024);
      readings.engines();
    }
    // Once until the deadline. One engine after the other, or each attribute for itself, would be
    // five seconds and more; a busy machine is late by hundreds of milliseconds.
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before))
        .isLessThan(HUNG * EngineWatch.DEADLINE_MS * 3 / 4);
    for (NodeSnapshot.Engine engine : node.engines().subList(1, 1 + HUNG)) {
      assertThat(engine.snapshot().engineId()).isEqualTo(engine.engineId());
      assertThat(engine.ageMs()).isGreaterThanOrEqualTo(60_000);
      assertThat(engine.problem()).contains("not answered");
    }
    await().atMost(20, TimeUnit.SECONDS).until(() -> snapshot().engines().get(0).ageMs() < 1_000);
  }

  @Test
  void decisionsAreReadOnAndGrowAndKeepTheirOrder() throws IOException {
    Fake engine = engine("e1");
    engine.decisions = 10;
    assertThat(decisions(1024).decisions()).hasSize(10);
    engine.decisions = 12;
    leapMs.addAndGet(1_000);
    NodeDecisions.Engine now = decisions(1024);
    assertThat(engine.from).containsExactly(-1L, 9L);
    assertThat(now.next()).isEqualTo(12);
    assertThat(now.decisions())
        .extracting(EngineDecisions.Decision::sequence)
        .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
    assertThat(now.decisions().get(8).bytes()).as("read before").isEqualTo(10);
    assertThat(now.decisions().get(9).bytes()).as("may have grown").isEqualTo(12);
    assertThat(decisions(3).decisions())
        .extracting(EngineDecisions.Decision::sequence)
        .containsExactly(9L, 10L, 11L);
  }

  @Test
  void aReaderThatFellBehindGetsTheLatest() throws IOException {
    Fake engine = engine("e1");
    engine.kept = 100_000;
    engine.decisions = 5;
    decisions(1024);
    engine.decisions = 50_000;
    leapMs.addAndGet(1_000);
    List<EngineDecisions.Decision> now = decisions(1024).decisions();
    assertThat(now).hasSize(1024);
    assertThat(now)
        .extracting(EngineDecisions.Decision::sequence)
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(now.get(1023).sequence()).isEqualTo(49_999);
  }

  @Test
  void whatIsGoneIsForgotten() throws IOException {
    engine("e1");
    snapshot();
    tasks.clear();
    assertThat(snapshot().engines()).isEmpty();
    Fake successor = engine("e1");
    assertThat(snapshot().engines().get(0).snapshot().atMs()).isEqualTo(1);
    assertThat(successor.asked).hasValue(1);
  }
}
