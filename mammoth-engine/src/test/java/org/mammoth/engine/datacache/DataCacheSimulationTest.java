// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mammoth.engine.datacache.CacheFixture.UNIT;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.mammoth.api.status.DataCacheUse;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.MapMemory;

/**
 * Writers, readers, sorts, drops and limits in random order on one thread: each byte that is read
 * is the byte that was written, and to whoever sorts the cache is not there.
 */
class DataCacheSimulationTest {

  private static final int STEPS = 400;

  /** A file that is being written. */
  private record Open(KeptWriter writer, String path, byte[] bytes, int[] done) {}

  /** A file that was closed, and what it holds. */
  private record Closed(FileIdentity identity, String path, byte[] bytes) {}

  private final List<Open> open = new ArrayList<>();
  private final List<Closed> closed = new ArrayList<>();
  private final List<CacheUnit> sorted = new ArrayList<>();

  @Property(tries = 300)
  void bytesAreRightAndSortsFindTheirMemory(@ForAll long seed) {
    Random random = new Random(seed);
    int units = 2 + random.nextInt(30);
    open.clear();
    closed.clear();
    sorted.clear();
    try (CacheFixture memory =
        new CacheFixture(units, 1 + random.nextInt(units), 6 * UNIT, "/named")) {
      MapMemory map = memory.map("sorter");
      int limit = units;
      for (int i = 0; i < STEPS; i++) {
        memory.nanos += random.nextInt(300);
        switch (random.nextInt(10)) {
          case 0, 1 -> begin(memory, random);
          case 2, 3, 4 -> append(memory, random);
          case 5, 6 -> read(memory, random);
          case 7 -> sort(map, limit);
          case 8 -> unsort(map, random);
          default -> limit = other(memory, random, units, limit);
        }
        DataCacheUse now = memory.cache.snapshot(2000);
        long lent = (long) sorted.size() * UNIT;
        assertThat(now.heldBytes() + lent).isLessThanOrEqualTo((long) units * UNIT);
        assertThat(now.heldBytes()).isLessThanOrEqualTo(now.limitBytes());
        assertThat(memory.scheduler.snapshot().getPoolUsed()).isEqualTo(lent);
      }
      open.forEach(file -> file.writer.abandon());
      sorted.forEach(map.sort()::give);
      map.close();
    }
  }

  private void begin(CacheFixture memory, Random random) {
    String job = "j" + random.nextInt(6);
    String folder = (random.nextInt(4) == 0 ? "/named/" : "/out-") + job + "/";
    String path = folder + "p" + open.size() + closed.size();
    byte[] bytes = CacheFixture.bytes(random.nextLong(), 1 + random.nextInt(7 * UNIT));
    open.add(new Open(memory.cache.begin(path, job), path, bytes, new int[1]));
  }

  private void append(CacheFixture memory, Random random) {
    if (open.isEmpty()) {
      return;
    }
    Open file = open.get(random.nextInt(open.size()));
    int left = file.bytes.length - file.done[0];
    int now = Math.min(left, 1 + random.nextInt(3 * UNIT));
    file.writer.append(file.bytes, file.done[0], now);
    file.done[0] += now;
    if (now == left) {
      open.remove(file);
      if (random.nextInt(8) == 0) {
        file.writer.abandon();
        return;
      }
      BlockIdentity last = memory.block(file.bytes.length);
      file.writer.admit(last);
      closed.add(new Closed(CacheFixture.identity(last, file.bytes.length), file.path, file.bytes));
    }
  }

  private void read(CacheFixture memory, Random random) {
    if (closed.isEmpty()) {
      return;
    }
    Closed file = closed.get(random.nextInt(closed.size()));
    KeptFile kept = memory.cache.find(file.identity, file.path);
    if (kept == null) {
      return;
    }
    assertThat(kept.length()).isEqualTo(file.bytes.length);
    for (int i = 0; i < 8; i++) {
      int from = random.nextInt(file.bytes.length);
      byte[] into = new byte[1 + random.nextInt(2 * UNIT)];
      int count = kept.read(from, into, 0, into.length);
      if (count >= 0) {
        assertThat(count).isPositive();
        assertThat(Arrays.copyOf(into, count))
            .isEqualTo(Arrays.copyOfRange(file.bytes, from, from + count));
      }
    }
  }

  /** What the rules allow is there, whatever the cache holds. */
  private void sort(MapMemory map, int limit) {
    CacheUnit unit = map.sort().poll();
    assertThat(unit != null).isEqualTo(sorted.size() < limit);
    if (unit != null) {
      byte[] mine = new byte[UNIT];
      Arrays.fill(mine, (byte) 99);
      unit.put(0, mine, 0, UNIT);
      sorted.add(unit);
    }
  }

  private void unsort(MapMemory map, Random random) {
    for (int i = random.nextInt(4); i > 0 && !sorted.isEmpty(); i--) {
      CacheUnit unit = sorted.remove(random.nextInt(sorted.size()));
      byte[] mine = new byte[UNIT];
      unit.get(0, mine, 0, UNIT);
      assertThat(mine).as("nobody wrote into a sort's memory").containsOnly(99);
      map.sort().give(unit);
    }
  }

  private int other(CacheFixture memory, Random random, int units, int limit) {
    switch (random.nextInt(3)) {
      case 0 -> memory.cache.drop("/out-j" + random.nextInt(6));
      case 1 -> {
        int now = Math.max(1, units - random.nextInt(units));
        memory.scheduler.limitTo(now);
        return now;
      }
      default -> {
        if (!open.isEmpty()) {
          open.remove(random.nextInt(open.size())).writer.abandon();
        }
      }
    }
    return limit;
  }
}
