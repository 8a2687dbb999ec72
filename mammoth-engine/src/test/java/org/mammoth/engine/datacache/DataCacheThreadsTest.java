// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.engine.datacache.CacheFixture.UNIT;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.MapMemory;

/** Readers on memory that goes to sorts at any moment never take a sort's bytes for a file's. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DataCacheThreadsTest {

  private static final int TURNS = 4_000;

  /** A file whose bytes follow from its number. */
  private record Named(FileIdentity identity, long number, int length) {}

  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final Queue<Named> files = new ConcurrentLinkedQueue<>();
  private final AtomicLong read = new AtomicLong();
  private final AtomicLong missed = new AtomicLong();
  private final AtomicBoolean over = new AtomicBoolean();

  @Test
  void whatIsReadIsWhatWasWritten() throws InterruptedException {
    try (CacheFixture memory = new CacheFixture(24)) {
      List<Thread> readers = new ArrayList<>();
      List<Thread> others = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        long seed = i;
        others.add(start(() -> write(memory, seed)));
        others.add(start(() -> sort(memory, seed)));
        readers.add(start(() -> read(memory, seed)));
      }
      join(others);
      over.set(true);
      join(readers);
      assertThat(failures).isEmpty();
      assertThat(read.get()).as("bytes read from memory").isPositive();
      assertThat(missed.get()).as("reads that found their memory gone").isPositive();
    }
  }

  private Thread start(Runnable work) {
    Thread thread = new Thread(work);
    thread.setUncaughtExceptionHandler((t, e) -> failures.add(e));
    thread.start();
    return thread;
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void write(CacheFixture memory, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < TURNS / 4; i++) {
      long number = seed * TURNS + i;
      int length = 1 + random.nextInt(5 * UNIT);
      byte[] bytes = CacheFixture.bytes(number, length);
      KeptWriter writer = memory.cache.begin("/named/j" + i % 7 + "/p" + number, "j" + i % 7);
      for (int at = 0; at < length; at += 111) {
        writer.append(bytes, at, Math.min(111, length - at));
      }
      FileIdentity identity = new FileIdentity("bp", number, 1, length, length);
      writer.admit(new BlockIdentity("bp", number, 1, length));
      files.add(new Named(identity, number, length));
      if (files.size() > 12) {
        files.poll();
      }
    }
  }

  private void read(CacheFixture memory, long seed) {
    Random random = new Random(seed);
    while (!over.get()) {
      Named file = files.poll();
      KeptFile kept = file == null ? null : memory.cache.find(file.identity, "/x");
      if (kept != null) {
        files.add(file);
        byte[] all = CacheFixture.bytes(file.number, file.length);
        int from = random.nextInt(file.length);
        byte[] into = new byte[1 + random.nextInt(UNIT)];
        int count = kept.read(from, into, 0, into.length);
        if (count < 0) {
          missed.incrementAndGet();
        } else {
          read.addAndGet(count);
          assertThat(Arrays.copyOf(into, count))
              .isEqualTo(Arrays.copyOfRange(all, from, from + count));
        }
      }
    }
  }

  private void sort(CacheFixture memory, long seed) {
    Random random = new Random(seed);
    MapMemory map = memory.map("sorter" + seed);
    byte[] mine = new byte[UNIT];
    for (int i = 0; i < TURNS; i++) {
      List<CacheUnit> units = new ArrayList<>();
      for (int n = random.nextInt(10); n > 0; n--) {
        CacheUnit unit = map.sort().poll();
        if (unit != null) {
          Arrays.fill(mine, (byte) (100 + seed));
          unit.put(0, mine, 0, UNIT);
          units.add(unit);
        }
      }
      for (CacheUnit unit : units) {
        unit.get(0, mine, 0, UNIT);
        assertThat(mine).containsOnly(100 + (int) seed);
        map.sort().give(unit);
      }
    }
    map.close();
  }
}
