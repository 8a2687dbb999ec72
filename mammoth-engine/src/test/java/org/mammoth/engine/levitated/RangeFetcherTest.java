// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.client.Fetch;
import org.mammoth.engine.shuffle.client.FetchRequest;
import org.mammoth.engine.shuffle.client.FetchSink;

/** What goes to a node together, and how much at once. */
class RangeFetcherTest {

  private static final InetSocketAddress NODE = InetSocketAddress.createUnresolved("node", 1);
  private static final InetSocketAddress OTHER = InetSocketAddress.createUnresolved("other", 1);

  private record Sent(InetSocketAddress node, List<FetchRequest> requests, List<Answer> answers) {}

  private static final class Answer implements Fetch {
    private final CompletableFuture<SegmentInfo> future = new CompletableFuture<>();
    private final FetchSink sink;
    private final FetchRequest request;

    Answer(FetchRequest request, FetchSink sink) {
      this.request = request;
      this.sink = sink;
    }

    void give(int bytes) throws Exception {
      sink.chunk(request.offset(), ByteBuffer.allocate(bytes));
    }

    void end() {
      future.complete(new SegmentInfo(request.key(), 100, 100, 1, 0));
    }

    @Override
    public CompletableFuture<SegmentInfo> future() {
      return future;
    }

    @Override
    public long verifiedOffset() {
      return 0;
    }

    @Override
    public void credit(long bytes) {}

    @Override
    public void cancel() {
      future.completeExceptionally(new CancellationException());
    }
  }

  private static final class WantedRange extends Range {
    private final ByteBuffer into;
    private Throwable failure;
    private SegmentInfo segment;
    private boolean over;

    WantedRange(int map, long offset, ByteBuffer into) {
      super(new SegmentKey("job", "map-" + map, 0), 7, offset, into);
      this.into = into;
    }

    WantedRange(int map, long offset) {
      this(map, offset, ByteBuffer.allocate(10));
    }

    @Override
    protected void ended(SegmentInfo what, Throwable why) {
      assertThat(over).isFalse();
      over = true;
      segment = what;
      failure = why;
    }
  }

  /** A clock that only the test moves. */
  private static final class Clock implements Scheduler {
    private final List<Runnable> tasks = new ArrayList<>();
    private long now;

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public Runnable after(long delayMs, Runnable task) {
      assertThat(delayMs).isBetween(1L, 1_000L);
      tasks.add(task);
      return () -> tasks.remove(task);
    }

    void pass(long millis) {
      now += TimeUnit.MILLISECONDS.toNanos(millis);
      List<Runnable> due = List.copyOf(tasks);
      tasks.clear();
      due.forEach(Runnable::run);
    }
  }

  private final List<Sent> sent = new ArrayList<>();
  private final Clock clock = new Clock();
  private RuntimeException refusal;
  private final RangeFetcher fetcher =
      new RangeFetcher(
          (node, requests, sinks) -> {
            if (refusal != null) {
              throw refusal;
            }
            List<Answer> answers = new ArrayList<>();
            for (int i = 0; i < requests.size(); i++) {
              answers.add(new Answer(requests.get(i), sinks.get(i)));
            }
            sent.add(new Sent(node, requests, answers));
            return List.copyOf(answers);
          },
          clock,
          2,
          35);

  @Test
  void whatWaitsForANodeGoesTogetherInTheOrderOfItsPlace() {
    fetcher.fetch(NODE, List.of(new WantedRange(9, 0)));
    fetcher.fetch(NODE, List.of(new WantedRange(8, 0)));
    fetcher.fetch(NODE, List.of(new WantedRange(2, 50)));
    fetcher.fetch(NODE, List.of(new WantedRange(1, 5), new WantedRange(2, 10)));
    fetcher.fetch(OTHER, List.of(new WantedRange(3, 0)));
    assertThat(sent).hasSize(3);
    assertThat(sent.get(2).node()).isEqualTo(OTHER);
    sent.get(1).answers().get(0).end();
    assertThat(sent).hasSize(4);
    assertThat(sent.get(3).requests())
        .extracting(request -> request.key().mapAttempt() + "@" + request.offset())
        .containsExactly("map-1@5", "map-2@10", "map-2@50");
    assertThat(sent.get(3).requests()).allMatch(request -> request.identity() == 7);
  }

  @Test
  void aBatchHasAsManyBytesAsItMay() {
    fetcher.fetch(NODE, List.of(new WantedRange(0, 0)));
    fetcher.fetch(NODE, List.of(new WantedRange(0, 10)));
    List<WantedRange> many = new ArrayList<>();
    for (int map = 0; map < 7; map++) {
      many.add(new WantedRange(map, 0));
    }
    fetcher.fetch(NODE, many);
    sent.get(0).answers().get(0).end();
    assertThat(sent.get(2).requests()).as("35 bytes").hasSize(3);
    sent.get(1).answers().get(0).end();
    assertThat(sent.get(3).requests()).hasSize(3);
    sent.get(2).answers().forEach(Answer::end);
    assertThat(sent.get(4).requests()).hasSize(1);
    sent.subList(3, 5).forEach(batch -> batch.answers().forEach(Answer::end));
    assertThat(many).allMatch(range -> range.over);
    assertThat(fetcher.busyNodes()).isZero();
  }

  @Test
  void aBatchOfRangesWithoutBytesHasAnEnd() {
    List<WantedRange> many = new ArrayList<>();
    for (int map = 0; map < 1_300; map++) {
      many.add(new WantedRange(map, 0, ByteBuffer.allocate(0)));
    }
    fetcher.fetch(NODE, many);
    assertThat(sent).extracting(each -> each.requests().size()).containsExactly(512, 512);
    sent.get(0).answers().forEach(Answer::end);
    assertThat(sent.get(2).requests()).hasSize(1_300 - 2 * 512);
  }

  @Test
  void oneThatIsLargerThanABatchGoesAlone() {
    fetcher.fetch(
        NODE, List.of(new WantedRange(0, 0, ByteBuffer.allocate(500)), new WantedRange(1, 0)));
    assertThat(sent.get(0).requests()).hasSize(1);
    assertThat(sent.get(1).requests()).hasSize(1);
  }

  @Test
  void tellsHowFarAFailedRangeGot() throws Exception {
    WantedRange range = new WantedRange(0, 0);
    fetcher.fetch(NODE, List.of(range));
    sent.get(0).answers().get(0).give(4);
    sent.get(0).answers().get(0).future.completeExceptionally(new IllegalStateException("cut"));
    assertThat(range.failure).hasMessage("cut");
    assertThat(range.into.position()).isEqualTo(4);
    assertThat(fetcher.busyNodes()).isZero();
  }

  @Test
  void whatNobodyWantsIsNotSent() {
    WantedRange first = new WantedRange(0, 0);
    WantedRange second = new WantedRange(1, 0);
    WantedRange third = new WantedRange(2, 0);
    fetcher.fetch(NODE, List.of(first));
    fetcher.fetch(NODE, List.of(second));
    fetcher.fetch(NODE, List.of(third));
    third.cancel();
    first.cancel();
    assertThat(first.failure).isInstanceOf(CancellationException.class);
    assertThat(third.failure).isInstanceOf(CancellationException.class);
    assertThat(sent).hasSize(2);
    sent.get(1).answers().get(0).end();
    assertThat(second.segment).isNotNull();
    assertThat(fetcher.busyNodes()).isZero();
  }

  private static List<WantedRange> ranges(int count) {
    List<WantedRange> all = new ArrayList<>();
    for (int map = 0; map < count; map++) {
      all.add(new WantedRange(map, 0));
    }
    return all;
  }

  /** A disk of the node hangs; others, and its memory, go on giving. */
  @Test
  void oneThatDoesNotComeKeepsNoOthers() {
    List<WantedRange> all = ranges(30);
    fetcher.fetch(NODE, all);
    assertThat(sent).hasSize(2);
    for (int batch = 0; batch < 3; batch++) {
      sent.get(batch).answers().get(1).end();
      sent.get(batch).answers().get(2).end();
    }
    assertThat(sent).as("three thirds of batches that have come make a slot").hasSize(4);
    assertThat(all.subList(0, 9)).filteredOn(range -> range.over).hasSize(6);
  }

  @Test
  void whatIsLateTakesNoSlot() {
    List<WantedRange> all = ranges(30);
    fetcher.fetch(NODE, all);
    clock.pass(999);
    assertThat(sent).hasSize(2);
    clock.pass(1);
    assertThat(sent).as("none of the first two has come").hasSize(4);
    sent.subList(0, 2).forEach(batch -> batch.answers().forEach(Answer::end));
    assertThat(sent).as("they count once").hasSize(4);
    for (int round = 0; round < 3; round++) {
      clock.pass(1_000);
    }
    assertThat(sent).hasSize(10);
    sent.forEach(batch -> batch.answers().forEach(Answer::end));
    assertThat(all).allMatch(range -> range.over);
    assertThat(fetcher.busyNodes()).isZero();
  }

  @Test
  void aNodeThatIsSilentIsNotAskedForMoreThanItsServerAdmits() {
    List<WantedRange> many = new ArrayList<>();
    for (int map = 0; map < 6_000; map++) {
      many.add(new WantedRange(map, 0, ByteBuffer.allocate(0)));
    }
    fetcher.fetch(NODE, many);
    for (int round = 0; round < 10; round++) {
      clock.pass(1_000);
    }
    assertThat(sent.stream().mapToInt(batch -> batch.requests().size()).sum()).isEqualTo(3_072);
    for (int next = 0; next < sent.size(); next++) {
      sent.get(next).answers().forEach(Answer::end);
    }
    assertThat(many).allMatch(range -> range.over);
    assertThat(fetcher.busyNodes()).isZero();
  }

  @Test
  void whatCannotBeSentIsToldSo() {
    refusal = new IllegalStateException("the engine ends");
    List<WantedRange> all = ranges(9);
    fetcher.fetch(NODE, all);
    assertThat(all).allMatch(range -> range.failure == refusal);
    assertThat(fetcher.busyNodes()).isZero();
  }
}
