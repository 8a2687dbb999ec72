// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.mammoth.api.status.DiskUse;
import org.mammoth.engine.memory.CacheUnit;

/** One file at a time: what its owner gets to know, and that all memory comes back. */
class StreamsTest {

  private static final int UNIT = Simulation.UNIT;

  private final Simulation sim = new Simulation();

  @Test
  void aFileHoldsWhatWasAddedAndItsChecksum() throws Exception {
    FakeTarget target = sim.target("f");
    WriteStream stream = sim.io.openWrite(target, IoClass.ACTIVE, "x");
    sim.addUnit(stream, 7);
    byte[] tail = {1, 2, 3, 4};
    stream.add(tail, 1, 2);
    CompletableFuture<Written> result = stream.finish(true);
    assertThat(result).isNotDone();
    sim.disk.turns();
    byte[] expected = new byte[UNIT + 2];
    java.util.Arrays.fill(expected, 0, UNIT, (byte) 7);
    expected[UNIT] = 2;
    expected[UNIT + 1] = 3;
    assertThat(target.bytes.toByteArray()).isEqualTo(expected);
    assertThat(result.get().bytes()).isEqualTo(UNIT + 2);
    assertThat(result.get().sums()).hasValueSatisfying(sums -> FileSums.assertFits(sums, expected));
    assertThat(target.state).isEqualTo("closed");
    assertThat(target.calls).as("open, two writes, force, close").isEqualTo(5);
    assertNothingHeld();
  }

  @Test
  void anEmptyFileIsMadeToo() throws Exception {
    FakeTarget target = sim.target("f");
    CompletableFuture<Written> result = sim.io.openWrite(target, IoClass.SORT, "x").finish();
    sim.disk.turns();
    assertThat(result.get().bytes()).isZero();
    assertThat(target.state).isEqualTo("closed");
  }

  @Test
  void fiveUnitsMayWaitAndAPartlyFilledOneCountsInFull() throws Exception {
    WriteStream stream = sim.write("f", IoClass.ACTIVE);
    for (int i = 0; i < 5; i++) {
      assertThat(stream.hasRoom(UNIT)).isTrue();
      CacheUnit unit = sim.units.poll();
      stream.add(unit, 10, 1, failed -> sim.units.give(unit));
    }
    assertThat(stream.hasRoom(1)).isFalse();
    assertThat(sim.charged).containsEntry("attempt_fUNITS", 5L * UNIT);
    sim.disk.turns();
    assertThat(stream.hasRoom(UNIT)).isTrue();
    stream.abort();
    sim.disk.turns();
    assertNothingHeld();
  }

  @Test
  void aPieceLargerThanTheBoundGoesAlone() throws Exception {
    FakeTarget target = sim.target("f");
    WriteStream stream = sim.io.openWrite(target, IoClass.ACTIVE, "x");
    stream.add(new byte[20 * UNIT], 0, 20 * UNIT);
    assertThat(stream.hasRoom(1)).isFalse();
    stream.finish();
    sim.disk.turns();
    assertThat(target.bytes.size()).isEqualTo(20 * UNIT);
  }

  /** Each call of the target fails once: the error reaches all who wait and nothing is lost. */
  @Test
  void anErrorAtAnyCallReachesTheOwner() throws Exception {
    for (int bad = 0; bad < 6; bad++) {
      Simulation each = new Simulation();
      int at = bad;
      FakeTarget target = each.target("f");
      target.event =
          call -> {
            if (call == at) {
              throw new IOException("Input/output error");
            }
          };
      WriteStream stream = each.io.openWrite(target, IoClass.SEND, "attempt_1");
      List<IOException> told = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        CacheUnit unit = each.units.poll();
        stream.add(
            unit,
            0,
            UNIT,
            failed -> {
              told.add(failed);
              each.units.give(unit);
            });
      }
      CompletableFuture<Written> result = stream.finish(true);
      each.disk.turns();
      assertThatThrownBy(result::get)
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOf(IOException.class)
          .hasMessageContaining("/disks/a/local/f for attempt_1 failed on disk a")
          .hasMessageContaining("Input/output error")
          .hasMessageContaining("mammoth.io.quarantine.time-ms");
      assertThat(told).hasSize(3);
      assertThat(told.stream().filter(e -> e == null).count())
          .isEqualTo(Math.max(0, Math.min(bad - 1, 2)));
      assertThat(target.aborts).isEqualTo(1);
      assertThat(each.units.lent()).isZero();
      assertThat(each.chargedInAll()).isZero();
      assertThat(each.io.healthyDirs()).containsExactly(Simulation.B);
      CacheUnit late = each.units.poll();
      assertThatThrownBy(() -> stream.add(late, 0, 1, failed -> each.units.give(late)))
          .isInstanceOf(IOException.class);
      assertThat(each.units.lent()).isZero();
      assertThat(each.chargedInAll()).isZero();
    }
  }

  @Test
  void aTargetThatThrowsAnythingElseFailsOnlyItsFile() throws Exception {
    FakeTarget target = sim.target("f");
    target.event =
        call -> {
          throw new OutOfMemoryError("codec");
        };
    WriteStream bad = sim.io.openWrite(target, IoClass.ACTIVE, "x");
    WriteStream good = sim.write("g", IoClass.ACTIVE);
    sim.addUnit(bad, 1);
    sim.addUnit(good, 1);
    CompletableFuture<Written> badResult = bad.finish();
    CompletableFuture<Written> goodResult = good.finish();
    sim.disk.turns();
    assertThatThrownBy(badResult::get).hasMessageContaining("OutOfMemoryError: codec");
    assertThat(goodResult.get().bytes()).isEqualTo(UNIT);
    assertThat(sim.io.healthyDirs()).hasSize(2);
    assertNothingHeld();
  }

  @Test
  void aTargetThatTakesOnlyAPartIsAnError() throws Exception {
    Target lazy =
        new FakeTarget(Simulation.A.resolve("f"), sim.log) {
          @Override
          public void write(java.nio.ByteBuffer piece) {
            piece.get();
          }
        };
    WriteStream stream = sim.io.openWrite(lazy, IoClass.ACTIVE, "x");
    sim.addUnit(stream, 1);
    CompletableFuture<Written> result = stream.finish();
    sim.disk.turns();
    assertThatThrownBy(result::get).hasMessageContaining("only a part");
    assertNothingHeld();
  }

  @Test
  void aCallbackThatThrowsFailsItsFileAndNoOther() throws Exception {
    WriteStream bad = sim.write("bad", IoClass.ACTIVE);
    WriteStream good = sim.write("good", IoClass.ACTIVE);
    bad.add(
        new byte[1],
        0,
        1,
        failed -> {
          throw new IllegalStateException("owner's mistake");
        });
    CompletableFuture<Written> badResult = bad.finish();
    sim.addUnit(good, 1);
    CompletableFuture<Written> goodResult = good.finish();
    sim.disk.turns();
    assertThatThrownBy(badResult::get).hasMessageContaining("owner's mistake");
    assertThat(goodResult.get().bytes()).isEqualTo(UNIT);
    assertNothingHeld();
  }

  /** An abort between any two turns, and in the middle of any call. */
  @Test
  void anAbortAtAnyPointGivesEverythingBackOnce() throws Exception {
    for (int point = 0; point < 6; point++) {
      for (boolean inside : new boolean[] {false, true}) {
        abortAt(point, inside);
      }
    }
  }

  private void abortAt(int point, boolean inside) throws Exception {
    Simulation each = new Simulation();
    FakeTarget target = each.target("f");
    WriteStream stream = each.io.openWrite(target, IoClass.SEND, "x");
    if (inside) {
      target.event =
          call -> {
            if (call == point) {
              stream.abort();
            }
          };
    }
    for (int i = 0; i < 4; i++) {
      each.addUnit(stream, i);
    }
    CompletableFuture<Written> result = stream.finish();
    for (int i = 0; i < point && !inside; i++) {
      each.disk.turn();
    }
    stream.abort();
    stream.abort();
    if (!inside) {
      assertThat(each.units.lent()).as("nothing is in a turn").isZero();
    }
    each.disk.turns();
    boolean complete = !inside && point >= 4;
    assertThat(result.isCompletedExceptionally()).isEqualTo(!complete);
    assertThat(target.state).isEqualTo(complete ? "closed" : "aborted");
    assertThat(target.aborts).isEqualTo(complete ? 0 : 1);
    assertThat(each.units.lent()).isZero();
    assertThat(each.chargedInAll()).isZero();
    assertThat(filesOpen(each)).isZero();
  }

  @Test
  void closingAStreamThatWasNotFinishedAbortsIt() throws Exception {
    FakeTarget target = sim.target("f");
    try (WriteStream stream = sim.io.openWrite(target, IoClass.SEND, "x")) {
      sim.addUnit(stream, 1);
    }
    sim.disk.turns();
    assertThat(target.state).isEqualTo("aborted");
    assertNothingHeld();
  }

  @Test
  void aFinishedFileTakesNoMoreAndStillGivesTheUnitBack() throws Exception {
    WriteStream stream = sim.write("f", IoClass.ACTIVE);
    stream.finish();
    CacheUnit unit = sim.units.poll();
    assertThatThrownBy(() -> stream.add(unit, 0, 1, failed -> sim.units.give(unit)))
        .isInstanceOf(IllegalStateException.class);
    assertNothingHeld();
  }

  @Test
  void aRangeIsReadBackThroughUnitsOrArrays() throws Exception {
    byte[] bytes = new byte[10 * UNIT + 123];
    new Random(5).nextBytes(bytes);
    for (int lent : List.of(0, 63, 64)) {
      List<CacheUnit> taken = new ArrayList<>();
      for (int i = 0; i < lent; i++) {
        taken.add(sim.units.poll());
      }
      FakeSource source = sim.source("r", bytes);
      source.chunk = 1000;
      try (ReadStream stream =
          sim.io.openRead(source, 17, bytes.length - 17, IoClass.SORT, "x", 3, sim.units)) {
        byte[] back = new byte[bytes.length];
        int at = 17;
        while (true) {
          sim.disk.turns();
          assertThat(stream.isReady()).isTrue();
          int count = stream.read(back, at, Math.min(700, back.length - at));
          if (count <= 0) {
            break;
          }
          at += count;
        }
        back[at - 1] = bytes[at - 1];
        assertThat(at).isEqualTo(bytes.length);
        assertThat(java.util.Arrays.equals(back, 17, at, bytes, 17, at)).isTrue();
        assertThat(stream.read(new byte[1], 0, 1)).isEqualTo(-1);
      }
      sim.disk.turns();
      assertThat(source.closes).isEqualTo(1);
      taken.forEach(sim.units::give);
      assertNothingHeld();
    }
  }

  @Test
  void aSegmentOfManyTakesNoMoreOfTheHeapThanItNeeds() throws Exception {
    byte[] bytes = new byte[1_000];
    new Random(6).nextBytes(bytes);
    for (int each : List.of(Integer.MAX_VALUE, 100)) {
      FakeSource source = sim.source("r" + each, bytes);
      byte[] back = new byte[500];
      try (ReadStream stream =
          sim.io.openRead(source, 300, 500, IoClass.SORT, "x", 3, null, each)) {
        sim.disk.turns();
        assertThat(sim.charged).containsEntry("xHEAP", each == 100 ? 200L : 500L);
        int at = 0;
        for (int count = 0; count >= 0; count = stream.read(back, at, 500 - at)) {
          at += count;
          sim.disk.turns();
          if (at == 500) {
            break;
          }
        }
        assertThat(at).isEqualTo(500);
      }
      sim.disk.turns();
      assertThat(back).isEqualTo(java.util.Arrays.copyOfRange(bytes, 300, 800));
      assertNothingHeld();
    }
  }

  @Test
  void readingAheadIsBounded() throws Exception {
    FakeSource source = sim.source("r", new byte[100 * UNIT]);
    ReadStream stream = sim.io.openRead(source, 0, 100 * UNIT, IoClass.SORT, "x", 4, sim.units);
    sim.disk.turns();
    assertThat(sim.units.lent()).isEqualTo(4);
    assertThat(sim.charged).containsEntry("xUNITS", 4L * UNIT);
    stream.read(new byte[UNIT], 0, UNIT);
    sim.disk.turns();
    assertThat(sim.units.lent()).isEqualTo(4);
    stream.close();
    assertThat(sim.units.lent()).isZero();
    sim.disk.turns();
    assertNothingHeld();
  }

  @Test
  void aCloseInTheMiddleOfAReadGivesTheBufferBackWhenTheDiskLetsGo() throws Exception {
    for (int point = 0; point < 4; point++) {
      Simulation each = new Simulation();
      FakeSource source = each.source("r", new byte[10 * UNIT]);
      ReadStream stream = each.io.openRead(source, 0, 10 * UNIT, IoClass.SORT, "x", 6, each.units);
      int at = point;
      int[] during = {-1};
      source.event =
          call -> {
            if (call == at) {
              stream.close();
              during[0] = each.units.lent();
            }
          };
      each.disk.turns();
      assertThat(during[0]).as("all but the one being filled").isEqualTo(1);
      assertThatThrownBy(() -> stream.read(new byte[1], 0, 1))
          .hasMessageContaining("ended by its owner x");
      assertThat(source.closes).isEqualTo(1);
      assertThat(each.units.lent()).isZero();
      assertThat(each.chargedInAll()).isZero();
      assertThat(filesOpen(each)).isZero();
    }
  }

  @Test
  void aFileThatIsTooShortIsAnErrorAfterItsBytes() throws Exception {
    FakeSource source = sim.source("r", new byte[UNIT + 5]);
    ReadStream stream = sim.io.openRead(source, 0, 2 * UNIT, IoClass.ACTIVE, "x", 4, sim.units);
    sim.disk.turns();
    assertThat(stream.read(new byte[2 * UNIT], 0, 2 * UNIT)).isEqualTo(UNIT);
    assertThatThrownBy(() -> stream.read(new byte[1], 0, 1))
        .isInstanceOf(IOException.class)
        .hasRootCauseInstanceOf(EOFException.class)
        .hasMessageContaining("/disks/a/local/r");
    stream.close();
    assertThat(source.closes).isEqualTo(1);
    assertThat(sim.io.healthyDirs()).hasSize(2);
    assertNothingHeld();
  }

  @Test
  void anEndedLeaseFailsTheReaderAndNoOther() throws Exception {
    org.mammoth.engine.memory.UnitSource ended =
        (org.mammoth.engine.memory.UnitSource)
            java.lang.reflect.Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {org.mammoth.engine.memory.UnitSource.class},
                (proxy, method, arguments) -> {
                  throw new IllegalStateException("lease ended");
                });
    FakeSource source = sim.source("r", new byte[UNIT]);
    ReadStream stream = sim.io.openRead(source, 0, UNIT, IoClass.ACTIVE, "x", 4, ended);
    sim.disk.turns();
    assertThatThrownBy(() -> stream.read(new byte[1], 0, 1)).hasMessageContaining("lease ended");
    assertThat(source.closes).isEqualTo(1);
  }

  @Test
  void allFilesOfAnAttemptEndTogether() throws Exception {
    FakeTarget target = sim.target("f");
    WriteStream write = sim.io.openWrite(target, IoClass.SEND, "attempt_7");
    sim.addUnit(write, 1);
    FakeSource source = sim.source("r", new byte[4 * UNIT]);
    ReadStream read =
        sim.io.openRead(source, 0, 4 * UNIT, IoClass.ACTIVE, "attempt_7", 4, sim.units);
    WriteStream other = sim.write("other", IoClass.SEND);
    sim.addUnit(other, 1);
    sim.disk.turn();
    sim.disk.turn();
    assertThat(sim.io.abortAll("attempt_7")).isEqualTo(2);
    assertThat(sim.units.lent()).as("the other's").isEqualTo(1);
    CompletableFuture<Written> result = other.finish();
    sim.disk.turns();
    assertThat(result.get().bytes()).isEqualTo(UNIT);
    assertThatThrownBy(() -> read.read(new byte[1], 0, 1)).isInstanceOf(IOException.class);
    assertThat(target.state).isEqualTo("aborted");
    assertNothingHeld();
  }

  @Test
  void closingTheSchedulerFailsWhatIsOpen() throws Exception {
    FakeTarget target = sim.target("f");
    WriteStream stream = sim.io.openWrite(target, IoClass.ACTIVE, "x");
    sim.addUnit(stream, 1);
    CompletableFuture<Written> result = stream.finish();
    sim.io.close();
    assertThatThrownBy(result::get).hasMessageContaining("scheduler was closed");
    assertThat(sim.units.lent()).isZero();
    sim.disk.turns();
    assertThat(target.state).isEqualTo("aborted");
    assertThatThrownBy(() -> sim.write("g", IoClass.ACTIVE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("scheduler was closed");
    assertNothingHeld();
  }

  private void assertNothingHeld() {
    assertThat(sim.units.lent()).isZero();
    assertThat(sim.chargedInAll()).isZero();
  }

  static int filesOpen(Simulation sim) {
    return sim.io.snapshot().stream()
        .flatMap(disk -> disk.lanes().stream())
        .mapToInt(DiskUse.Lane::files)
        .sum();
  }
}
