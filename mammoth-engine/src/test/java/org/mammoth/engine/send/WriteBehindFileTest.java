// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mammoth.engine.send.SendFixture.UNIT;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.memory.BufferKind;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.MapMemory;
import org.mammoth.engine.send.SendFixture.MemoryTarget;

/** What is written behind is on disk as it was written, and in memory as long as that lasts. */
class WriteBehindFileTest {

  private final MemoryTarget target = new MemoryTarget();

  private static byte[] random(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static void writeInPieces(WriteBehindFile file, byte[] bytes, Random random)
      throws IOException {
    for (int at = 0; at < bytes.length; ) {
      int now = Math.min(bytes.length - at, random.nextInt(3 * UNIT));
      if (now == 1) {
        file.write(bytes[at]);
      } else {
        file.write(bytes, at, now);
      }
      at += now;
    }
  }

  /** With any number of units to be had, from none to more than enough. */
  @Property(tries = 60)
  void diskAndMemoryHoldWhatWasWritten(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 14) int units) throws Throwable {
    MemoryTarget disk = new MemoryTarget();
    Random random = new Random(seed);
    byte[] bytes = random(seed, random.nextInt(4) == 0 ? 0 : random.nextInt(12 * UNIT));
    // one more is the map's own, for sorting
    try (SendFixture f = new SendFixture(units + 1)) {
      MapMemory map = f.map("m");
      WriteBehindFile file = new WriteBehindFile(f.write(disk), map.send());
      CacheFile memory =
          f.whileTurning(
              () -> {
                writeInPieces(file, bytes, random);
                return file.finish();
              });
      file.close();
      assertThat(disk.bytes.toByteArray()).isEqualTo(bytes);
      assertThat(disk.complete).isTrue();
      assertThat(file.length()).isEqualTo(bytes.length);
      int needed = (bytes.length + UNIT - 1) / UNIT;
      assertThat(memory != null).as("%d units for %d", units, needed).isEqualTo(needed <= units);
      if (memory != null) {
        byte[] kept = new byte[bytes.length];
        assertThat(memory.read(0, kept, 0, kept.length)).isEqualTo(kept.length);
        assertThat(kept).isEqualTo(bytes);
        assertThat(f.usedUnits()).isEqualTo(needed);
        memory.close();
      }
      assertThat(f.usedUnits()).isZero();
      map.close();
    }
  }

  @Test
  void withoutUnitsNothingIsKept() throws Throwable {
    try (SendFixture f = new SendFixture(8)) {
      byte[] bytes = random(1, 3 << 20);
      WriteBehindFile file = new WriteBehindFile(f.write(target), null);
      CacheFile memory =
          f.whileTurning(
              () -> {
                file.write(bytes);
                return file.finish();
              });
      assertThat(memory).isNull();
      assertThat(target.bytes.toByteArray()).isEqualTo(bytes);
    }
  }

  @Test
  void unitsThatAreBeingWrittenComeBackOnceTheyAreOnDisk() throws Throwable {
    try (SendFixture f = new SendFixture(5)) {
      MapMemory map = f.map("m");
      WriteBehindFile file = new WriteBehindFile(f.write(target), map.send());
      byte[] bytes = random(2, 4 * UNIT + 1);
      file.write(bytes, 0, 4 * UNIT);
      assertThat(f.ledger.used(BufferKind.SEND)).isEqualTo(4 * UNIT);
      file.write(bytes, 4 * UNIT, 1); // no fifth unit: nothing can be kept
      assertThat(f.usedUnits()).as("the disk still reads them").isEqualTo(4);
      f.turnAll();
      assertThat(f.usedUnits()).isZero();
      CacheFile memory = f.whileTurning(file::finish);
      assertThat(memory).isNull();
      assertThat(target.bytes.toByteArray()).isEqualTo(bytes);
      map.close();
    }
  }

  /** Each call of the disk fails once. */
  @Test
  void anErrorOfTheDiskReachesTheOwnerAtTheEnd() throws Throwable {
    for (int bad = 0; bad < 5; bad++) {
      try (SendFixture f = new SendFixture(4)) {
        MemoryTarget disk = new MemoryTarget();
        disk.failAt = bad;
        MapMemory map = f.map("m");
        try (WriteBehindFile file = new WriteBehindFile(f.write(disk), map.send())) {
          file.write(random(3, 2 * UNIT + 5));
          assertThatThrownBy(() -> f.whileTurning(file::finish))
              .isInstanceOf(IOException.class)
              .hasMessageContaining("No space left on device");
        }
        f.turnAll();
        assertThat(f.usedUnits()).isZero();
        assertThat(disk.complete).isFalse();
        assertThat(disk.aborts).isEqualTo(1);
        map.close();
      }
    }
  }

  @Test
  void afterAnErrorNothingMoreIsTaken() throws Throwable {
    try (SendFixture f = new SendFixture(8)) {
      target.failAt = 0;
      MapMemory map = f.map("m");
      try (WriteBehindFile file = new WriteBehindFile(f.write(target), map.send())) {
        file.write(random(3, UNIT));
        f.turnAll();
        assertThatThrownBy(() -> file.write(random(3, UNIT)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("No space left on device");
      }
      assertThat(f.usedUnits()).isZero();
      map.close();
    }
  }

  @Test
  void aFileThatIsGivenUpLeavesNothing() throws Exception {
    try (SendFixture f = new SendFixture(8)) {
      MapMemory map = f.map("m");
      WriteBehindFile file = new WriteBehindFile(f.write(target), map.send());
      file.write(random(4, UNIT + 7));
      f.turnAll();
      file.write(random(5, UNIT));
      file.close();
      file.close();
      f.turnAll();
      assertThat(f.usedUnits()).isZero();
      assertThat(target.aborts).isEqualTo(1);
      assertThat(target.complete).isFalse();
      map.close();
    }
  }

  @Test
  void aMapThatWasKilledWhileItsOutputWentToDiskLeaksNothing() throws Throwable {
    try (SendFixture f = new SendFixture(8)) {
      MapMemory map = f.map("m");
      try (WriteBehindFile file = new WriteBehindFile(f.write(target), map.send())) {
        file.write(random(6, 2 * UNIT + 7));
        map.abort();
        assertThat(f.usedUnits()).as("the disk still reads them").isEqualTo(3);
        assertThatThrownBy(() -> f.whileTurning(file::finish))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("m of job job_1");
      }
      assertThat(f.usedUnits()).isZero();
    }
  }

  @Test
  void aKilledMapWaitsNeitherForRoomNorForTheEnd() throws Exception {
    try (SendFixture f = new SendFixture(16)) {
      MapMemory map = f.map("m");
      try (WriteBehindFile file = new WriteBehindFile(f.write(target), map.send())) {
        file.write(random(7, UNIT));
        Thread.currentThread().interrupt();
        assertThatThrownBy(file::finish).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
      }
      f.turnAll();
      try (WriteBehindFile file = new WriteBehindFile(f.write(new MemoryTarget()), map.send())) {
        Thread.currentThread().interrupt();
        // the disk does not turn: the queue is full after five units
        assertThatThrownBy(() -> file.write(random(8, 10 * UNIT)))
            .isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
      }
      f.turnAll();
      assertThat(f.usedUnits()).isZero();
      map.close();
    }
  }

  /** One output is worth as much in memory as another: dropping one for the other gains nothing. */
  @Test
  void anEarlierOutputStaysThoughALaterOneFindsNoRoom() throws Throwable {
    try (SendFixture f = new SendFixture(4)) {
      MapOutput old = output(f, "job_1", 3);
      assertThat(later(f, "job_1", 3)).isNull();
      assertThat(old.heldBytes()).isEqualTo(3 * UNIT);
      old.close();
    }
  }

  /** What another job holds beyond its share is revoked before the file gives its memory up. */
  @Test
  void anOutputOfAJobOverItsShareIsDroppedForAnotherJobs() throws Throwable {
    try (SendFixture f = new SendFixture(8)) {
      MapOutput old = output(f, "job_1", 6);
      CacheFile memory = later(f, "job_2", 2);
      assertThat(memory).isNotNull();
      assertThat(old.heldBytes()).as("no more than was missing").isEqualTo(5 * UNIT);
      memory.close();
      old.close();
    }
  }

  @Test
  void aJobKeepsItsShareThoughAnotherOneFindsNoRoom() throws Throwable {
    try (SendFixture f = new SendFixture(8)) {
      MapOutput old = output(f, "job_1", 6);
      assertThat(later(f, "job_2", 6)).isNull();
      assertThat(old.heldBytes()).isEqualTo(4 * UNIT);
      old.close();
    }
  }

  /** The output of a map that has ended. */
  private static MapOutput output(SendFixture f, String job, int units) {
    MapMemory map = f.map(job, "m1");
    MapOutput output =
        new MapOutput(job, "m1", "f", new PartitionIndex(1), filled(map, units), null);
    f.scheduler.register(new RevocableOutput(output));
    map.close();
    return output;
  }

  /** What is in memory of a file that a second map has written. */
  private CacheFile later(SendFixture f, String job, int units) throws Throwable {
    MapMemory map = f.map(job, "m2");
    WriteBehindFile file = new WriteBehindFile(f.write(target), map.send());
    byte[] bytes = random(9, units * UNIT);
    CacheFile memory =
        f.whileTurning(
            () -> {
              file.write(bytes);
              return file.finish();
            });
    map.close();
    return memory;
  }

  private static CacheFile filled(MapMemory map, int units) {
    CacheUnit[] all = new CacheUnit[units];
    Arrays.setAll(all, i -> map.send().poll());
    return CacheFile.of(map.send(), Arrays.asList(all), (long) units * UNIT);
  }
}
