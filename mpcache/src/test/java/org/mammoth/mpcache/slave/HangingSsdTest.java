// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.mpcache.slave.StoreFixture.POOL;
import static org.mammoth.mpcache.slave.StoreFixture.bytes;
import static org.mammoth.mpcache.slave.StoreFixture.fill;
import static org.mammoth.mpcache.slave.StoreFixture.key;
import static org.mammoth.mpcache.slave.StoreFixture.read;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An SSD that neither answers nor fails. */
@Timeout(60)
class HangingSsdTest {

  @TempDir Path folder;
  private final ExecutorService deleter = Executors.newSingleThreadExecutor();
  private final ExecutorService reader = Executors.newSingleThreadExecutor();
  private final CountDownLatch answer = new CountDownLatch(1);
  private StoreFixture fixture;
  private BlockStore store;

  @BeforeEach
  void start() {
    fixture = new StoreFixture(folder);
    fixture.deleter = deleter;
    store = fixture.empty();
  }

  @AfterEach
  void end() throws InterruptedException {
    answer.countDown();
    deleter.shutdown();
    reader.shutdown();
    assertThat(deleter.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(reader.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
  }

  private void hang(Path file) {
    try {
      answer.await();
    } catch (InterruptedException e) {
      throw new AssertionError(file + " was waited for", e);
    }
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      store.look();
    }
  }

  /** Whoever drops a copy may be the thread that does the NameNode's orders. */
  @Test
  void whoDropsACopyDoesNotWaitForTheSsd() throws Exception {
    fixture.left = copy -> store.unkeep(fixture.first.resolve("filling/1.kept"));
    fill(store, key(1, 1000));
    fill(store, key(2, 1000));
    fixture.files.deleted = this::hang;
    assertThat(store.evict(POOL, 1)).isTrue();
    assertThat(store.evict(POOL, 2)).isTrue();
    assertThat(store.open(key(1, 1000), 0)).isEmpty();
    assertThat(store.keys()).isEmpty();
    assertThat(store.inputUsed()).isZero();
    assertThat(fixture.leaving).containsExactly(key(1, 1000), key(2, 1000));
    assertThat(store.directories().stream().mapToLong(SsdDirectory::used).sum())
        .as("what is still there takes room")
        .isEqualTo(2000);
    answer.countDown();
    store.settle();
    assertThat(fixture.filesOf(folder)).isEmpty();
    assertThat(store.directories()).allMatch(directory -> directory.used() == 0);
  }

  @Test
  void aFillWaitsForTheRoomOfTheCopyItReplaces() {
    int large = 1 << 20;
    fill(store, key(1, large));
    fill(store, key(2, large));
    Thread filler = Thread.currentThread();
    fixture.files.deleted =
        file -> Awaitility.await().until(() -> filler.getState() == Thread.State.TIMED_WAITING);
    store.evict(POOL, 1);
    assertThat(fill(store, key(3, large))).isEqualTo(FillResult.FILLED);
  }

  @Test
  void aDirectoryThatDoesNotAnswerAReadIsLeftOut() throws Exception {
    for (int id = 0; id < 4; id++) {
      fill(store, key(id, 1000));
    }
    CountDownLatch asked = new CountDownLatch(1);
    fixture.files.opened =
        file -> {
          if (file.startsWith(fixture.first)) {
            asked.countDown();
            hang(file);
          }
        };
    fixture.files.deleted = this::hang;
    BlockKey hung = anyIn(fixture.first);
    Future<Optional<FileInputStream>> read = reader.submit(() -> store.open(hung, 0));
    asked.await();
    look(SsdReads.LONGEST_LOOKS);
    assertThat(store.directories()).allMatch(SsdDirectory::healthy);
    look(1);
    assertThat(store.directories().get(0).failure())
        .contains("a read or a delete was not answered for 10 s");
    assertThat(fixture.lost).hasSize(2);
    int served = 0;
    for (int id = 0; id < 4; id++) {
      served += read(store, key(id, 1000)) == null ? 0 : 1;
    }
    assertThat(served).as("without asking the first").isEqualTo(2);
    assertThat(read).isNotDone();
    assertThat(fixture.filesOf(fixture.first)).as("for the next start").hasSize(2);
    assertThat(fill(store, key(9, 1000))).as("no room is waited for").isEqualTo(FillResult.FILLED);
    assertThat(read(store, key(9, 1000))).isEqualTo(bytes(key(9, 1000)));
  }

  @Test
  void aDirectoryThatDoesNotAnswerADeleteIsLeftOut() throws Exception {
    for (int id = 0; id < 4; id++) {
      fill(store, key(id, 1000));
    }
    BlockKey hung = anyIn(fixture.first);
    CountDownLatch asked = new CountDownLatch(1);
    fixture.files.deleted =
        file -> {
          asked.countDown();
          hang(file);
        };
    store.evict(POOL, hung.blockId());
    asked.await();
    look(SsdReads.LONGEST_LOOKS + 1);
    assertThat(store.directories().get(0).healthy()).isFalse();
    assertThat(store.directories().get(1).healthy()).isTrue();
  }

  private BlockKey anyIn(Path directory) throws IOException {
    String name = fixture.filesOf(directory).get(0).getFileName().toString();
    return store.keys().stream()
        .filter(key -> name.startsWith("blk_" + key.blockId() + "_"))
        .findAny()
        .orElseThrow();
  }

  @Test
  void aSlowReaderIsNoHangingSsd() {
    fill(store, key(1, 1000));
    SsdReads.Reader slow = store.reader(key(1, 1000));
    SsdReads.Reader gone = store.reader(key(1, 1000));
    gone.begin();
    for (int i = 0; i < 10 * SsdReads.LONGEST_LOOKS; i++) {
      if (i % 5 == 0) {
        slow.begin();
      }
      look(1);
      if (i % 5 == 4) {
        slow.end();
        gone.close();
      }
    }
    look(2 * SsdReads.LONGEST_LOOKS);
    assertThat(store.directories()).allMatch(SsdDirectory::healthy);
    slow.begin();
    look(SsdReads.LONGEST_LOOKS + 1);
    assertThat(store.holds(key(1, 1000))).isFalse();
  }
}
