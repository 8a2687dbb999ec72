// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mammoth.engine.memory.MemoryFixture.UNIT;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CacheFileTest {

  @Test
  void whatWasAppendedIsReadBackInAnyPieces() throws Exception {
    try (MemoryFixture f = new MemoryFixture(16)) {
      MapMemory m = f.map("j", "m");
      Random random = new Random(3);
      byte[] all = new byte[9 * UNIT + 17];
      random.nextBytes(all);
      CacheFile file = new CacheFile(m.sort());
      for (int at = 0; at < all.length; ) {
        int now = Math.min(all.length - at, random.nextInt(150));
        if (random.nextBoolean()) {
          file.append(all, at, now);
        } else {
          assertThat(file.tryAppend(all, at, now)).isTrue();
        }
        at += now;
      }
      file.finish();
      assertThat(file.length()).isEqualTo(all.length);
      for (int i = 0; i < 200; i++) {
        int at = random.nextInt(all.length);
        byte[] piece = new byte[random.nextInt(200)];
        int read = file.read(at, piece, 0, piece.length);
        assertThat(read).isEqualTo(Math.min(piece.length, all.length - at));
        assertThat(Arrays.copyOf(piece, read)).isEqualTo(Arrays.copyOfRange(all, at, at + read));
      }
      assertThat(file.read(all.length, new byte[1], 0, 1)).isZero();
      file.close();
      m.close();
    }
  }

  @Test
  void unitsComeBackOneByOneAsTheyAreUsedUp() {
    try (MemoryFixture f = new MemoryFixture(8)) {
      MapMemory m = f.map("j", "m");
      CacheFile file = new CacheFile(m.sort());
      assertThat(file.tryAppend(new byte[3 * UNIT + 1], 0, 3 * UNIT + 1)).isTrue();
      file.finish();
      assertThat(f.usedUnits()).isEqualTo(4);
      file.discard(UNIT / 2, UNIT + UNIT / 2);
      assertThat(f.usedUnits()).isEqualTo(4);
      file.discard(0, UNIT / 2);
      assertThat(f.usedUnits()).isEqualTo(3);
      assertThat(file.read(0, new byte[1], 0, 1)).isEqualTo(-1);
      assertThatThrownBy(() -> file.discard(0, 1)).isInstanceOf(IllegalStateException.class);
      file.discard(3 * UNIT, 3 * UNIT + 1);
      assertThat(f.usedUnits()).as("the last unit is not full").isEqualTo(2);
      file.close();
      file.close();
      m.close();
    }
  }

  @Test
  void aFileThatFindsNoRoomStaysAsItWas() {
    try (MemoryFixture f = new MemoryFixture(4)) {
      MapMemory m = f.map("j", "m");
      CacheFile file = new CacheFile(m.sort());
      assertThat(file.tryAppend(new byte[UNIT], 0, UNIT)).isTrue();
      assertThat(file.tryAppend(new byte[4 * UNIT], 0, 4 * UNIT)).isFalse();
      assertThat(file.length()).isEqualTo(UNIT);
      assertThat(f.usedUnits()).isEqualTo(1);
      file.close();
      m.close();
    }
  }

  @Test
  void aMovedFileIsChargedToItsNewOwner() {
    try (MemoryFixture f = new MemoryFixture(16)) {
      MapMemory m = f.map("j", "m");
      ReduceMemory r = f.reduce("j", "r");
      CacheFile open = new CacheFile(m.sort());
      assertThatThrownBy(() -> open.moveTo(m.send())).isInstanceOf(IllegalStateException.class);
      open.close();
      CacheFile file = MemoryFixture.fill(m.sort(), 3);
      file.moveTo(m.send());
      assertThat(f.ledger.used(BufferKind.SEND)).isEqualTo(3 * UNIT);
      m.close();
      assertThat(file.isClosed()).isFalse();
      file.discard(0, UNIT);
      file.moveTo(r.receive());
      assertThat(f.ledger.used(BufferKind.SEND)).isZero();
      assertThat(r.used()).isEqualTo(2 * UNIT);
      r.close();
      assertThat(file.isClosed()).isTrue();
      assertThatThrownBy(() -> MemoryFixture.fill(m.send(), 1))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aFileCannotMoveToAnOwnerThatHasEnded() {
    try (MemoryFixture f = new MemoryFixture(16)) {
      MapMemory m = f.map("j", "m");
      ReduceMemory r = f.reduce("j", "r");
      CacheFile file = MemoryFixture.fill(m.send(), 2);
      r.close();
      assertThatThrownBy(() -> file.moveTo(r.receive())).isInstanceOf(IllegalStateException.class);
      assertThat(f.ledger.used(BufferKind.SEND)).isEqualTo(2 * UNIT);
      m.abort();
      assertThat(file.isClosed()).isTrue();
    }
  }

  @Test
  void aWriterWhoseTaskWasKilledLeaksNothing() {
    try (MemoryFixture f = new MemoryFixture(16)) {
      MapMemory m = f.map("j", "m");
      CacheFile file = new CacheFile(m.sort());
      assertThat(file.tryAppend(new byte[UNIT + 1], 0, UNIT + 1)).isTrue();
      m.abort();
      assertThatThrownBy(() -> file.append(new byte[2 * UNIT], 0, 2 * UNIT))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> file.tryAppend(new byte[2 * UNIT], 0, 2 * UNIT))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  /** Three segments in four units: each unit goes to the reduce in whose segment it begins. */
  @Test
  void aReducePaysForTheUnitsThatBeginInItsSegment() {
    try (MemoryFixture f = new MemoryFixture(16)) {
      MapMemory m = f.map("j", "m");
      ReduceMemory one = f.reduce("j", "r1");
      ReduceMemory two = f.reduce("j", "r2");
      CacheFile file = MemoryFixture.fill(m.send(), 4);
      int first = UNIT + 10;
      int second = 2 * UNIT + 5;
      file.reassign(0, first, one.receive());
      assertThat(one.used()).isEqualTo(2 * UNIT);
      file.reassign(first, second, two.receive());
      assertThat(two.used()).isEqualTo(UNIT);
      assertThat(f.ledger.used(BufferKind.SEND)).isEqualTo(UNIT);
      file.discard(0, first);
      assertThat(one.used()).as("it shares a unit with the next").isEqualTo(UNIT);
      one.close();
      assertThat(f.usedUnits()).as("charged until the other has read it").isEqualTo(3);
      file.discard(first, second);
      assertThat(f.usedUnits()).isEqualTo(2);
      assertThat(two.used()).isEqualTo(UNIT);
      file.close();
      assertThat(f.usedUnits()).isZero();
      file.reassign(0, first, two.receive());
      two.close();
      m.close();
    }
  }

  @Test
  void whatWasTakenOverStaysWithItsTakerWhenTheRestMoves() {
    try (MemoryFixture f = new MemoryFixture(16)) {
      MapMemory m = f.map("j", "m");
      ReduceMemory one = f.reduce("j", "r1");
      ReduceMemory two = f.reduce("j", "r2");
      CacheFile file = MemoryFixture.fill(m.send(), 4);
      file.reassign(0, UNIT, one.receive());
      file.moveTo(two.receive());
      assertThat(f.ledger.used(BufferKind.SEND)).isZero();
      assertThat(one.used()).isEqualTo(UNIT);
      assertThat(two.used()).isEqualTo(3 * UNIT);
      two.close();
      assertThat(f.usedUnits()).isZero();
      one.close();
      m.close();
    }
  }

  @Test
  void aSegmentCannotGoToAReduceThatHasEnded() {
    try (MemoryFixture f = new MemoryFixture(16)) {
      MapMemory m = f.map("j", "m");
      ReduceMemory ended = f.reduce("j", "r");
      ended.close();
      CacheFile file = MemoryFixture.fill(m.send(), 2);
      assertThatThrownBy(() -> file.reassign(0, UNIT, ended.receive()))
          .isInstanceOf(IllegalStateException.class);
      assertThat(f.ledger.used(BufferKind.SEND)).isEqualTo(2 * UNIT);
      CacheFile unfinished = new CacheFile(m.sort());
      assertThatThrownBy(() -> unfinished.reassign(0, 1, m.send()))
          .isInstanceOf(IllegalStateException.class);
      m.abort();
    }
  }

  @Test
  void unitsForAFileOfAnEndedOwnerComeBack() {
    try (MemoryFixture f = new MemoryFixture(16)) {
      MapMemory m = f.map("j", "m");
      List<CacheUnit> filled = List.of(m.send().poll(), m.send().poll());
      m.abort();
      assertThat(f.usedUnits()).isEqualTo(2);
      assertThatThrownBy(() -> CacheFile.of(m.send(), filled, UNIT + 1))
          .isInstanceOf(IllegalStateException.class);
    }
  }
}
