// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.mpcache.slave.StoreFixture.bytes;
import static org.mammoth.mpcache.slave.StoreFixture.fill;
import static org.mammoth.mpcache.slave.StoreFixture.key;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockStoreConcurrencyTest {

  @TempDir Path folder;

  @Test
  void aReaderFinishesACopyThatIsEvictedAndFilledAgainMeanwhile() throws IOException {
    BlockStore store = new StoreFixture(folder).empty();
    BlockKey old = key(1, 100_000);
    fill(store, old);
    try (FileInputStream in = store.open(old, 0).orElseThrow()) {
      byte[] half = in.readNBytes(50_000);
      store.evict(StoreFixture.POOL, 1);
      BlockKey appended = new BlockKey(StoreFixture.POOL, 1, 1002, 100_000);
      assertThat(fill(store, appended)).isEqualTo(FillResult.FILLED);
      byte[] rest = in.readAllBytes();
      byte[] expected = bytes(old);
      assertThat(half).isEqualTo(java.util.Arrays.copyOf(expected, 50_000));
      assertThat(rest).isEqualTo(java.util.Arrays.copyOfRange(expected, 50_000, 100_000));
    }
  }

  @Test
  void readersFillersAndEvictersNeverSeeAWrongByte() throws Exception {
    StoreFixture fixture = new StoreFixture(folder);
    BlockStore store = fixture.empty();
    AtomicInteger hits = new AtomicInteger();
    AtomicInteger evicted = new AtomicInteger();
    CountDownLatch fillers = new CountDownLatch(2);
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      List<Callable<Void>> work = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        Random random = new Random(i);
        int role = i % 3;
        work.add(
            () -> {
              for (int n = 0; role == 0 ? n < 300 : fillers.getCount() > 0; n++) {
                // Eight blocks, each in two states: appends go on all the time.
                BlockKey key =
                    new BlockKey(
                        StoreFixture.POOL, random.nextInt(8), 1000 + random.nextInt(2), 3000);
                switch (role) {
                  case 0 -> fill(store, key);
                  case 1 ->
                      evicted.addAndGet(
                          random.nextInt(400) == 0 && store.evict(key.pool(), key.blockId())
                              ? 1
                              : 0);
                  default -> readAndCompare(store, key, hits);
                }
              }
              if (role == 0) {
                fillers.countDown();
              }
              return null;
            });
      }
      for (Future<Void> done : threads.invokeAll(work)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(evicted).hasPositiveValue();
    assertThat(hits).hasPositiveValue();
    for (BlockKey key : store.keys()) {
      readAndCompare(store, key, hits);
    }
    assertThat(store.inputUsed()).isEqualTo(3000L * store.keys().size());
    assertThat(store.directories().stream().mapToLong(SsdDirectory::used).sum())
        .isEqualTo(store.inputUsed());
    assertThat(fixture.filesOf(folder)).hasSize(store.keys().size());
    assertThat(store.directories()).allMatch(SsdDirectory::healthy);
  }

  private static void readAndCompare(BlockStore store, BlockKey key, AtomicInteger hits)
      throws IOException {
    Optional<FileInputStream> open = store.open(key, 0);
    if (open.isPresent()) {
      try (FileInputStream in = open.get()) {
        assertThat(in.readAllBytes()).isEqualTo(bytes(key));
        hits.incrementAndGet();
      }
    }
  }
}
