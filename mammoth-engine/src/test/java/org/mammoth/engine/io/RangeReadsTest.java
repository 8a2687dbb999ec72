// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real files, on a disk that turns when the test says so. */
class RangeReadsTest {

  private static final int BLOCK = BlockSums.BLOCK_BYTES;
  private static final int UNIT = 256 << 10;
  private static final int AHEAD = 512 << 10;
  private static final int OPEN = 3;

  @TempDir Path dir;

  private final ManualDisk disk = new ManualDisk();
  private final List<String> order = new ArrayList<>();
  private long now;
  private long charged;

  private RangeReads ranges(boolean spinning) {
    return ranges(dir, spinning);
  }

  private RangeReads ranges(Path where, boolean spinning) {
    IoScheduler io =
        IoScheduler.builder(IoSettings.of(new Configuration(false), UNIT), List.of(where))
            .executors(disk)
            .spinning(path -> spinning)
            .clock(() -> now)
            .charge((owner, memory, bytes) -> charged += bytes)
            .build();
    return io.openRanges(
        new RangeSettings(OPEN, TimeUnit.SECONDS.toNanos(30), AHEAD), "other nodes");
  }

  private static byte[] random(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private Path file(String name, byte[] bytes) throws IOException {
    return Files.write(dir.resolve(name), bytes);
  }

  /** What became of a range. */
  private static final class Answer {
    private final ByteBuffer into;
    private boolean done;
    private IOException failure;

    Answer(int length) {
      into = ByteBuffer.allocateDirect(length);
    }

    byte[] bytes() {
      assertThat(done).isTrue();
      assertThat(failure).isNull();
      byte[] bytes = new byte[into.capacity()];
      into.duplicate().flip().get(bytes);
      return bytes;
    }
  }

  private Answer read(
      RangeReads.RangeFile file, long version, long from, int length, BlockSums sums, String name) {
    Answer answer = new Answer(length);
    boolean atOnce =
        file.read(
            version,
            from,
            answer.into,
            sums,
            failure -> {
              assertThat(answer.done).as("told once").isFalse();
              answer.done = true;
              answer.failure = failure;
              order.add(name);
            });
    if (atOnce) {
      answer.done = true;
      order.add(name);
    }
    return answer;
  }

  @Test
  void requestsOfAllAreServedByFileAndOffsetAndTheNextTurnGoesOnFromThere() throws Exception {
    RangeReads ranges = ranges(false);
    List<RangeReads.RangeFile> files = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      files.add(ranges.file(file(name, random(1, 12 * 64 << 10))));
    }
    List<Integer> places = new ArrayList<>();
    List<String> sorted = new ArrayList<>();
    for (int i = 0; i < 36; i++) {
      places.add(i);
      sorted.add("abc".charAt(i / 12) + "" + i % 12);
    }
    Collections.shuffle(places, new Random(5));
    for (int place : places) {
      int at = place % 12;
      read(files.get(place / 12), 1, (long) at * 64 << 10, 64 << 10, null, sorted.get(place));
    }
    assertThat(disk.turn()).isTrue();
    assertThat(order).as("one turn").isEqualTo(sorted.subList(0, 4));
    // It comes behind the head: this time the disk does not go back for it.
    read(files.get(0), 1, 0, 64 << 10, null, "late");
    disk.turns();
    sorted.add("late");
    assertThat(order).isEqualTo(sorted);
  }

  @Test
  void aSpinningDiskReadsWhatWillBeAskedForNextAndNeighboursGetItWithoutATurn() throws Exception {
    byte[] content = random(2, 40 * BLOCK + 77);
    RangeReads ranges = ranges(true);
    RangeReads.RangeFile file = ranges.file(file("a", content));
    BlockSums sums = FileSums.of(content);
    Answer first = read(file, 1, 100, BLOCK, sums, "first");
    assertThat(disk.turns()).isEqualTo(1);
    assertThat(first.bytes()).isEqualTo(Arrays.copyOfRange(content, 100, 100 + BLOCK));
    assertThat(ranges.aheadBytes()).isPositive().isLessThanOrEqualTo(AHEAD);
    assertThat(charged).as("in the ledger").isEqualTo(ranges.aheadBytes());
    Answer next = read(file, 1, 100 + BLOCK, 3 * BLOCK, sums, "next");
    Answer neighbour = read(file, 1, 7 * BLOCK + 5, 10, sums, "neighbour");
    assertThat(disk.waiting()).as("no turn is needed").isZero();
    assertThat(next.bytes()).isEqualTo(Arrays.copyOfRange(content, 100 + BLOCK, 100 + 4 * BLOCK));
    assertThat(neighbour.bytes())
        .isEqualTo(Arrays.copyOfRange(content, 7 * BLOCK + 5, 7 * BLOCK + 15));
    file.forget();
    assertThat(ranges.aheadBytes()).isZero();
    assertThat(charged).isZero();
  }

  @Test
  void whatIsReadAheadIsDividedAmongThoseWhoRead() throws Exception {
    RangeReads ranges = ranges(true);
    List<RangeReads.RangeFile> files = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      files.add(ranges.file(file("f" + i, random(i, 20 * BLOCK))));
    }
    for (RangeReads.RangeFile file : files) {
      read(file, 1, 0, 4096, null, "x");
    }
    disk.turns();
    assertThat(ranges.aheadBytes()).isLessThanOrEqualTo(AHEAD);
    assertThat(charged).isEqualTo(ranges.aheadBytes());
    assertThat(ranges.openFiles()).isEqualTo(OPEN);
  }

  @Test
  void aDiskThatDoesNotSpinReadsWhatIsAskedFor() throws Exception {
    RangeReads ranges = ranges(false);
    read(ranges.file(file("a", random(2, 40 * BLOCK))), 1, 0, 4096, null, "x");
    disk.turns();
    assertThat(ranges.aheadBytes()).isZero();
  }

  @Test
  void aDamagedBlockFailsThoseWhoWantItAndNobodyElse() throws Exception {
    byte[] content = random(3, 6 * BLOCK + 100);
    BlockSums sums = FileSums.of(content);
    byte[] damaged = content.clone();
    damaged[2 * BLOCK + 9] ^= 4;
    for (boolean spinning : new boolean[] {true, false}) {
      RangeReads ranges = ranges(spinning);
      RangeReads.RangeFile file = ranges.file(file("a", damaged));
      Answer before = read(file, 1, BLOCK, BLOCK, sums, "before");
      Answer within = read(file, 1, 3 * BLOCK - 1, 1, sums, "within");
      Answer across = read(file, 1, BLOCK + 1, 4 * BLOCK, sums, "across");
      Answer behind = read(file, 1, 3 * BLOCK, 3 * BLOCK + 100, sums, "behind");
      disk.turns();
      assertThat(before.bytes()).isEqualTo(Arrays.copyOfRange(content, BLOCK, 2 * BLOCK));
      assertThat(behind.bytes()).isEqualTo(Arrays.copyOfRange(content, 3 * BLOCK, content.length));
      for (Answer failed : List.of(within, across)) {
        assertThat(failed.failure).hasMessageContaining("the disk has damaged them");
        assertThat(failed.failure).hasMessageContaining("bytes " + 2 * BLOCK + " to " + 3 * BLOCK);
      }
    }
  }

  @Test
  void aFileThatIsGoneOrShorterIsSaid() throws Exception {
    RangeReads ranges = ranges(false);
    Answer gone = read(ranges.file(dir.resolve("gone")), 1, 0, 10, null, "gone");
    Answer behind = read(ranges.file(file("a", new byte[100])), 1, 95, 10, null, "behind");
    byte[] content = random(1, 50);
    Answer sums = read(ranges.file(file("b", content)), 1, 45, 10, FileSums.of(content), "sums");
    disk.turns();
    assertThat(gone.failure).hasCauseInstanceOf(NoSuchFileException.class);
    assertThat(behind.failure).hasMessageContaining("ends at byte 100");
    assertThat(sums.failure).hasMessageContaining("byte 55 is wanted");
  }

  @Test
  void aFileStaysOpenUntilItIsIdleReplacedOrForgotten() throws Exception {
    RangeReads ranges = ranges(false);
    Path path = file("a", "old".getBytes());
    RangeReads.RangeFile file = ranges.file(path);
    read(file, 1, 0, 3, null, "x");
    disk.turns();
    assertThat(file.isOpen(1)).isTrue();
    Files.delete(path);
    file("a", "new".getBytes());
    Answer old = read(file, 1, 0, 3, null, "x");
    Answer fresh = read(file, 2, 0, 3, null, "x");
    disk.turns();
    assertThat(old.bytes()).as("its version is still open").isEqualTo("old".getBytes());
    assertThat(fresh.bytes()).isEqualTo("new".getBytes());
    now += TimeUnit.SECONDS.toNanos(29);
    ranges.tick();
    assertThat(ranges.openFiles()).isEqualTo(2);
    now += TimeUnit.SECONDS.toNanos(2);
    ranges.tick();
    assertThat(ranges.openFiles()).isZero();
    assertThat(read(file, 2, 0, 3, null, "x").done).isFalse();
    disk.turns();
    assertThat(ranges.openFiles()).isEqualTo(1);
    file.forget();
    assertThat(ranges.openFiles()).isZero();
  }

  /** Whatever is asked in whatever order: the file's bytes, and nothing left behind. */
  @Property(tries = 60)
  void anyRangesGiveTheFilesBytes(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 3_000_000) int length,
      @ForAll boolean spinning,
      @ForAll boolean summed)
      throws Exception {
    Path folder = Files.createTempDirectory("ranges");
    byte[] content = random(seed, length);
    Path path = Files.write(folder.resolve("f"), content);
    RangeReads ranges = ranges(folder, spinning);
    RangeReads.RangeFile file = ranges.file(path);
    BlockSums sums = summed ? FileSums.of(content) : null;
    Random random = new Random(seed);
    List<Answer> answers = new ArrayList<>();
    List<Integer> starts = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      int from = random.nextInt(length);
      int most = random.nextInt(4) == 0 ? length : 100_000;
      int count = 1 + random.nextInt(Math.min(most, length - from));
      starts.add(from);
      answers.add(read(file, 1, from, count, sums, "x"));
      if (random.nextInt(3) == 0) {
        disk.turn();
      }
    }
    disk.turns();
    for (int i = 0; i < answers.size(); i++) {
      byte[] got = answers.get(i).bytes();
      assertThat(
              Arrays.equals(got, 0, got.length, content, starts.get(i), starts.get(i) + got.length))
          .isTrue();
    }
    assertThat(ranges.aheadBytes()).isLessThanOrEqualTo(AHEAD);
    file.forget();
    assertThat(charged).isZero();
    Files.delete(path);
    Files.delete(folder);
  }
}
