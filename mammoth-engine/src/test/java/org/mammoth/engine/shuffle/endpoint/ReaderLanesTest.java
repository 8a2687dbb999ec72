// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.Collected;
import org.mammoth.engine.shuffle.Rig;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.TestSource;
import org.mammoth.engine.shuffle.client.ClientSettings;
import org.mammoth.engine.shuffle.client.Fetch;
import org.mammoth.engine.shuffle.client.FetchRequest;
import org.mammoth.engine.shuffle.client.ShuffleClient;
import org.mammoth.engine.shuffle.server.Readers;

/** A disk that hangs holds up what lies on it, and nothing else. */
class ReaderLanesTest {

  private static final int ON_THE_HUNG_DISK = 20;

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "lane");
    thread.setDaemon(true);
    return thread;
  }

  /** As where a limit of processes is reached. */
  @Test
  void whereNoThreadCanBeStartedThatIsTheAnswer() {
    AtomicBoolean none = new AtomicBoolean();
    ThreadFactory threads =
        work -> {
          if (none.get()) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return thread(work);
        };
    try (ReaderLanes lanes = new ReaderLanes(threads, 1)) {
      none.set(true);
      assertThatThrownBy(() -> lanes.execute("d1", () -> {}))
          .isInstanceOf(RejectedExecutionException.class)
          .hasMessageContaining("d1");
      none.set(false);
      CountDownLatch done = new CountDownLatch(1);
      lanes.execute("d1", done::countDown);
      await().until(() -> done.getCount() == 0);
    }
  }

  @Test
  void aHungDiskKeepsNeitherMemoryNorOtherDisksWaiting() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    // The lanes close last: they drop reads that wait, and the rig waits for all its segments.
    try (ReaderLanes lanes = new ReaderLanes(ReaderLanesTest::thread, 4);
        Rig rig = new Rig()) {
      rig.segmentReaders = lanes;
      rig.conf.setInt("mammoth.shuffle.server.buffer-bytes", 64 << 10);
      rig.conf.setInt("mammoth.shuffle.connection.buffer-bytes", 32 << 10);
      rig.source.disks =
          attempt -> attempt.startsWith("on_") ? attempt.substring(0, 5) : Readers.MEMORY;
      rig.source.hook =
          (key, offset) -> {
            if (key.mapAttempt().startsWith("on_d1")) {
              awaitEnd(hangs);
            }
          };
      rig.start();
      List<CompletableFuture<?>> hung = new ArrayList<>();
      for (int i = 0; i < ON_THE_HUNG_DISK; i++) {
        SegmentKey key = rig.source.add(Rig.JOB, "on_d1_" + i, 0, 50_000);
        hung.add(rig.client.fetch(rig.address, FetchRequest.whole(key), new Collected()).future());
      }
      await().until(() -> rig.source.reads.get() > 0);
      for (String attempt : List.of("in_memory", "on_d2_0")) {
        SegmentKey key = rig.source.add(Rig.JOB, attempt, 0, 50_000);
        Collected sink = new Collected();
        rig.client
            .fetch(rig.address, FetchRequest.whole(key), sink)
            .future()
            .get(20, TimeUnit.SECONDS);
        assertThat(sink.bytes()).isEqualTo(TestSource.bytes(key, 0, 50_000));
      }
      assertThat(hung).noneMatch(CompletableFuture::isDone);
      hangs.countDown();
      for (CompletableFuture<?> fetch : hung) {
        fetch.get(20, TimeUnit.SECONDS);
      }
    }
  }

  /** The memory of the server is shared by its connections: a disk gets a part of all of it. */
  @Test
  void aHungDiskThatManyClientsWaitForLeavesMemoryToTheOthers() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    try (ReaderLanes lanes = new ReaderLanes(ReaderLanesTest::thread, 4);
        Rig rig = new Rig()) {
      rig.segmentReaders = lanes;
      rig.conf.setInt("mammoth.shuffle.server.buffer-bytes", 64 << 10);
      rig.conf.setInt("mammoth.shuffle.connection.buffer-bytes", 32 << 10);
      rig.source.disks =
          attempt -> attempt.startsWith("on_") ? attempt.substring(0, 5) : Readers.MEMORY;
      rig.source.hook =
          (key, offset) -> {
            if (key.mapAttempt().startsWith("on_d1")) {
              awaitEnd(hangs);
            }
          };
      rig.start();
      List<ShuffleClient> clients = new ArrayList<>();
      List<Fetch> hung = new ArrayList<>();
      List<Collected> sinks = new ArrayList<>();
      for (int c = 0; c < 12; c++) {
        ShuffleClient client =
            new ShuffleClient(
                ClientSettings.from(rig.conf),
                rig.clientSecrets::get,
                rig.clientTls,
                rig.loops,
                rig.scheduler);
        clients.add(client);
        for (int i = 0; i < 20; i++) {
          SegmentKey key = rig.source.add(Rig.JOB, "on_d1_" + c + "_" + i, 0, 50_000);
          Collected sink = new Collected();
          sinks.add(sink);
          hung.add(
              client.fetch(rig.address, new FetchRequest(key, 0, Long.MAX_VALUE, 0, true), sink));
        }
      }
      // All are open when the disk begins to hang.
      await().until(() -> sinks.stream().allMatch(sink -> sink.info() != null));
      hung.forEach(fetch -> fetch.credit(50_000));
      await().until(() -> rig.source.reads.get() >= 4);
      for (String attempt : List.of("in_memory", "on_d2_0", "on_d3_0")) {
        SegmentKey key = rig.source.add(Rig.JOB, attempt, 0, 50_000);
        Collected sink = new Collected();
        rig.client
            .fetch(rig.address, FetchRequest.whole(key), sink)
            .future()
            .get(20, TimeUnit.SECONDS);
        assertThat(sink.bytes()).isEqualTo(TestSource.bytes(key, 0, 50_000));
      }
      assertThat(hung).noneMatch(fetch -> fetch.future().isDone());
      hangs.countDown();
      for (Fetch fetch : hung) {
        fetch.future().get(60, TimeUnit.SECONDS);
      }
      clients.forEach(ShuffleClient::close);
    }
  }

  private static void awaitEnd(CountDownLatch hangs) {
    try {
      hangs.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
