// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.io.BlockSums;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.MapMemory;

class PagesTest {

  private static final int MAPS = 10_000;
  private static final int REDUCES = 1_000;
  private static final long BOUND = 16 << 20;

  @TempDir Path dir;

  private long charged;
  private int files;

  private Pages pages(long most) {
    return new Pages(
        most, () -> dir.resolve("tables" + files++), (owner, memory, change) -> charged += change);
  }

  private static int[] numbers(int seed, int length) {
    return new Random(seed).ints(length).toArray();
  }

  /** What is used and dropped in whatever order: right numbers, and never more than the bound. */
  @Property(tries = 100)
  void tablesComeBackAsTheyWere(@ForAll long seed, @ForAll @IntRange(min = 0, max = 4000) int bound)
      throws Exception {
    Path folder = Files.createTempDirectory("pages");
    charged = 0;
    Random random = new Random(seed);
    try (Pages pages =
        new Pages(bound, () -> folder.resolve("t"), (owner, memory, change) -> charged += change)) {
      List<Pages.Page> all = new ArrayList<>();
      List<Integer> seeds = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        int what = random.nextInt(10);
        if (what < 4 || all.isEmpty()) {
          seeds.add(i);
          all.add(pages.add(numbers(i, 1 + i % 200)));
        } else if (what < 9) {
          int which = random.nextInt(all.size());
          int made = seeds.get(which);
          assertThat(all.get(which).get()).isEqualTo(numbers(made, 1 + made % 200));
        } else {
          int which = random.nextInt(all.size());
          seeds.remove(which);
          all.remove(which).drop();
        }
        assertThat(pages.bytes()).isLessThanOrEqualTo(Math.max(bound, 4 * 200));
        assertThat(charged).isEqualTo(pages.bytes());
      }
      all.forEach(Pages.Page::drop);
      assertThat(charged).isZero();
    }
    try (var left = Files.list(folder)) {
      assertThat(left).as("the file has no name").isEmpty();
    }
    Files.delete(folder);
  }

  @Test
  void withoutAFileAllStaysInMemory() throws Exception {
    Pages pages =
        new Pages(
            100,
            () -> {
              throw new IOException("no room");
            },
            (owner, memory, change) -> charged += change);
    Pages.Page one = pages.add(numbers(1, 100));
    Pages.Page two = pages.add(numbers(2, 100));
    Pages.Page three = pages.add(numbers(3, 100));
    assertThat(one.get()).isEqualTo(numbers(1, 100));
    assertThat(two.get()).isEqualTo(numbers(2, 100));
    assertThat(three.get()).isEqualTo(numbers(3, 100));
    assertThat(charged).isEqualTo(1200);
  }

  /** One map waits for the disk, the others publish their output and end their jobs. */
  @Test
  void aDiskThatHangsStopsNoOtherMap() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch works = new CountDownLatch(1);
    try (Pages pages =
        new Pages(
            100,
            () -> {
              asked.countDown();
              try {
                works.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              return dir.resolve("tables");
            },
            (owner, memory, change) -> {})) {
      Thread first =
          new Thread(
              () -> {
                pages.add(numbers(1, 100));
                pages.add(numbers(2, 100));
              });
      first.start();
      asked.await();
      Pages.Page third = pages.add(numbers(3, 100));
      assertThat(third.get()).isEqualTo(numbers(3, 100));
      assertThat(pages.bytes()).isEqualTo(1200);
      third.drop();
      assertThat(pages.bytes()).isEqualTo(800);
      works.countDown();
      first.join();
      assertThat(pages.bytes()).isEqualTo(400);
    }
  }

  /** A killed task reads and writes the file of all tasks while it is interrupted. */
  @Test
  void anInterruptOfOneTaskHarmsNoOther() throws Exception {
    try (Pages pages = pages(400)) {
      Pages.Page one = pages.add(numbers(1, 100));
      Pages.Page two = pages.add(numbers(2, 100));
      assertThat(one.isInMemory()).isFalse();
      Pages.Page three;
      Thread.currentThread().interrupt();
      try {
        assertThat(one.get()).isEqualTo(numbers(1, 100));
        three = pages.add(numbers(3, 100));
      } finally {
        assertThat(Thread.interrupted()).as("it is still told").isTrue();
      }
      assertThat(one.get()).isEqualTo(numbers(1, 100));
      assertThat(two.get()).isEqualTo(numbers(2, 100));
      assertThat(three.get()).isEqualTo(numbers(3, 100));
      assertThat(pages.bytes()).isEqualTo(400);
    }
  }

  @Test
  void tablesThatAreLostAreNamed() throws Exception {
    Pages pages = pages(0);
    SendBuffer buffer = new SendBuffer(pages);
    BlockSums sums = BlockSums.of(new int[2], BlockSums.BLOCK_BYTES + 1);
    MapOutput output = new MapOutput("job", "m", "/x", index(3), null, sums);
    buffer.publish(output);
    buffer.publish(new MapOutput("job", "other", "/y", index(4), null, null));
    assertThat(output.hasTablesInMemory()).isFalse();
    pages.close();
    assertThatThrownBy(() -> output.part(7)).isInstanceOf(TablesLostException.class);
    assertThat(output.indexInMemory()).isNull();
    assertThatThrownBy(output::readTables).isInstanceOf(TablesLostException.class);
    buffer.remove(output);
    assertThat(buffer.find("job", "m")).isNull();
    buffer.forget("job");
    assertThat(charged).isZero();
  }

  /** Else what is said to be verified is read without a comparison, for the output's life. */
  @Test
  void anOutputThatWasInMemoryIsNotReadWithoutTheChecksumsThatAreLost() throws Exception {
    SendFixture node = new SendFixture(4);
    MapMemory map = node.map("m");
    BlockSums sums = BlockSums.of(new int[2], BlockSums.BLOCK_BYTES + 1);
    CacheFile memory = CacheFile.of(map.send(), List.of(map.send().poll()), SendFixture.UNIT);
    MapOutput output = new MapOutput("job", "m", "/x", new PartitionIndex(1), memory, sums);
    map.close();
    Pages pages = pages(0);
    SendBuffer buffer = new SendBuffer(pages);
    buffer.publish(output);
    buffer.publish(new MapOutput("job", "other", "/y", index(4), null, null));
    output.drop(Long.MAX_VALUE);
    pages.close();
    assertThat(output.isVerified()).isTrue();
    assertThatThrownBy(output::sums).isInstanceOf(TablesLostException.class);
    assertThatThrownBy(() -> output.openFile((path, from, length) -> null, 0, 1))
        .isInstanceOf(TablesLostException.class);
    buffer.remove(output);
    assertThat(node.usedUnits()).isZero();
  }

  @Test
  void aTableIsOfNoUseAfterItsJob() throws Exception {
    Pages.Page page = pages(1000).add(numbers(1, 10));
    page.drop();
    page.drop();
    assertThatThrownBy(page::get).hasMessageContaining("after its job's end");
    assertThat(charged).isZero();
  }

  @Test
  void whoStillHasAnOutputOfAnEndedJobKeepsItsTables() throws Exception {
    SendBuffer buffer = new SendBuffer(pages(BOUND));
    MapOutput output = new MapOutput("job", "m", "/x", index(3), null, null);
    buffer.publish(output);
    buffer.forget("job");
    assertThat(output.index().start(7)).isEqualTo(index(3).start(7));
    assertThat(charged).isZero();
  }

  private static PartitionIndex index(int map) {
    PartitionIndex index = new PartitionIndex(REDUCES);
    long at = 0;
    for (int p = 0; p < REDUCES; p++) {
      int part = 1_000 + (map * 31 + p * 17) % 500;
      index.set(p, at, part - 4, part);
      at += part;
    }
    return index;
  }

  /** Issue 20: 10,000 maps of 1,000 reduces took 247 MiB. */
  @Test
  void theTablesOfTenThousandMapsAreBounded() throws Exception {
    SendBuffer buffer = new SendBuffer(pages(BOUND));
    long before = heap();
    for (int map = 0; map < MAPS; map++) {
      buffer.publish(new MapOutput("job", "m" + map, "/x/" + map, index(map), null, null));
    }
    long took = heap() - before;
    System.out.printf(
        "%d maps x %d reduces: tables %.1f MiB in memory, all of it %.1f MiB, %.2f bytes each%n",
        MAPS,
        REDUCES,
        buffer.tableBytes() / 1048576.0,
        took / 1048576.0,
        took / (double) MAPS / REDUCES);
    assertThat(buffer.tableBytes()).isPositive().isLessThanOrEqualTo(BOUND);
    assertThat(charged).isEqualTo(buffer.tableBytes());
    assertThat(took).isLessThan(40L << 20);
    for (int map = 0; map < MAPS; map += 97) {
      PartitionIndex is = buffer.find("job", "m" + map).index();
      PartitionIndex should = index(map);
      for (int p = 0; p < REDUCES; p += 13) {
        assertThat(is.start(p)).isEqualTo(should.start(p));
        assertThat(is.rawLength(p)).isEqualTo(should.rawLength(p));
        assertThat(is.partLength(p)).isEqualTo(should.partLength(p));
      }
      assertThat(buffer.find("job", "m" + map).fileBytes()).isEqualTo(should.fileBytes());
    }
    buffer.forget("job");
    assertThat(charged).isZero();
  }

  private static long heap() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(20);
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
