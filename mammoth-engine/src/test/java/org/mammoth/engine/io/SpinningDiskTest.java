// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.config.IoKeys;

/** Long turns for a disk whose seeks are dear, and turns for a DataNode's blocks on it. */
class SpinningDiskTest {

  private static final int UNIT = Simulation.UNIT;
  private static final int BURST = 4;

  private final Simulation sim = spinning(List.of(Path.of("/disks/a/hdfs")));

  private static Simulation spinning(List<Path> inputDirs) {
    Configuration conf = new Configuration(false);
    conf.setInt(IoKeys.BURST_UNITS.name(), BURST);
    return new Simulation(conf, true, inputDirs);
  }

  @Test
  void aTurnWritesABurstOfOneFile() throws Exception {
    WriteStream a = sim.write("a", IoClass.ACTIVE);
    WriteStream b = sim.write("b", IoClass.ACTIVE);
    for (int i = 0; i < 2 * BURST; i++) {
      sim.addUnit(a, i);
      sim.addUnit(b, i);
    }
    assertThat(sim.disk.turns()).isEqualTo(4);
    assertThat(String.join("", sim.log)).isEqualTo("aaaabbbbaaaabbbb");
  }

  @Test
  void theDiskIsNotSentForLess() throws Exception {
    WriteStream stream = sim.write("f", IoClass.ACTIVE);
    for (int i = 1; i < BURST; i++) {
      sim.addUnit(stream, i);
    }
    assertThat(sim.disk.turns()).isZero();
    assertThat(stream.hasRoom(UNIT)).as("its owner goes on").isTrue();
    sim.addUnit(stream, BURST);
    assertThat(sim.disk.turns()).isEqualTo(1);
    assertThat(sim.units.lent()).isZero();
  }

  @Test
  void whatWaitsForABurstGoesWhenItIsOverdue() throws Exception {
    WriteStream stream = sim.write("f", IoClass.ACTIVE);
    sim.addUnit(stream, 1);
    sim.io.tick();
    assertThat(sim.disk.turns()).isZero();
    sim.advanceMs(IoKeys.AGING_AFTER_MS.get(new Configuration(false)));
    sim.io.tick();
    assertThat(sim.disk.turns()).isEqualTo(1);
    assertThat(sim.units.lent()).as("its memory is free").isZero();
  }

  @Test
  void partlyFilledUnitsAreNoReasonToWaitForEver() throws Exception {
    WriteStream stream = sim.write("f", IoClass.ACTIVE);
    for (int i = 0; i < BURST; i++) {
      var unit = sim.units.poll();
      stream.add(unit, 0, 1, failed -> sim.units.give(unit));
    }
    assertThat(sim.disk.turns()).isEqualTo(1);
  }

  @Test
  void theEndOfAFileGoesAtOnce() throws Exception {
    FakeTarget target = sim.target("f");
    WriteStream stream = sim.io.openWrite(target, IoClass.ACTIVE, "x");
    sim.addUnit(stream, 1);
    var result = stream.finish();
    assertThat(sim.disk.turns()).isEqualTo(1);
    assertThat(result.get().bytes()).isEqualTo(UNIT);
    assertThat(target.writesThrough).isTrue();
  }

  @Test
  void otherDisksKeepTurnsOfOneUnitAndThePageCache() throws Exception {
    FakeTarget target = new FakeTarget(Simulation.B.resolve("f"), sim.log);
    WriteStream stream = sim.io.openWrite(target, IoClass.ACTIVE, "x");
    sim.addUnit(stream, 1);
    sim.addUnit(stream, 2);
    assertThat(sim.disk.turns()).isEqualTo(2);
    assertThat(target.writesThrough).isFalse();
  }

  @Test
  void readingAheadFetchesABurstWhenThereIsRoomForOne() throws Exception {
    byte[] bytes = new byte[12 * UNIT];
    new Random(1).nextBytes(bytes);
    FakeSource source = sim.source("f", bytes);
    try (ReadStream stream =
        sim.io.openRead(source, 0, bytes.length, IoClass.SORT, "x", 2 * BURST, sim.units)) {
      assertThat(sim.disk.turns()).isEqualTo(2);
      assertThat(sim.units.lent()).isEqualTo(2 * BURST);
      byte[] back = new byte[UNIT];
      for (int i = 0; i < BURST; i++) {
        assertThat(sim.disk.turns()).as("no turn for less than a burst").isZero();
        assertThat(stream.read(back, 0, UNIT)).isEqualTo(UNIT);
        assertThat(back).isEqualTo(Arrays.copyOfRange(bytes, i * UNIT, (i + 1) * UNIT));
      }
      assertThat(sim.disk.turns()).as("the rest, and the source's close").isEqualTo(2);
    }
    assertThat(sim.units.lent()).isZero();
    assertThat(sim.chargedInAll()).isZero();
  }

  @Test
  void whatWasReadBeforeAnErrorIsDelivered() throws Exception {
    FakeSource source = sim.source("f", new byte[8 * UNIT]);
    source.event =
        call -> {
          if (call == 2) {
            throw new IOException("no more");
          }
        };
    try (ReadStream stream =
        sim.io.openRead(source, 0, 8 * UNIT, IoClass.SORT, "x", 2 * BURST, sim.units)) {
      sim.disk.turns();
      byte[] into = new byte[UNIT];
      assertThat(stream.read(into, 0, UNIT)).isEqualTo(UNIT);
      assertThat(stream.read(into, 0, UNIT)).isEqualTo(UNIT);
      assertThatThrownBy(() -> stream.read(into, 0, UNIT)).hasMessageContaining("no more");
    }
    assertThat(sim.units.lent()).isZero();
    assertThat(sim.chargedInAll()).isZero();
  }

  @Test
  void withoutUnitsItReadsArraysOneAtATime() throws Exception {
    FakeSource source = sim.source("f", new byte[8 * UNIT]);
    try (ReadStream stream =
        sim.io.openRead(source, 0, 8 * UNIT, IoClass.SORT, "x", 2 * BURST, null)) {
      byte[] into = new byte[UNIT];
      int left = 8 * UNIT;
      while (left > 0) {
        sim.disk.turns();
        left -= stream.read(into, 0, UNIT);
      }
    }
    assertThat(sim.chargedInAll()).isZero();
  }

  @Test
  void blocksOfADataNodeTakeTurnsWithLocalFiles() throws Exception {
    assertThat(sim.io.takesInput()).isTrue();
    byte[] bytes = new byte[2 * BURST * UNIT];
    FakeSource source = new FakeSource(Path.of("/hdfs:/in"), bytes, sim.log);
    WriteStream write = sim.write("w", IoClass.ACTIVE);
    for (int i = 0; i < 2 * BURST; i++) {
      sim.addUnit(write, i);
    }
    try (ReadStream read = sim.io.openInput(source, bytes.length, "x", 2 * BURST, sim.units)) {
      sim.disk.turns();
      assertThat(sim.log)
          .containsExactly(
              "w", "w", "w", "w", "in", "in", "in", "in", "w", "w", "w", "w", "in", "in", "in",
              "in");
    }
  }

  @Test
  void anErrorOfADataNodeIsNoneOfALocalDirectory() throws Exception {
    FakeSource source = new FakeSource(Path.of("/hdfs:/in"), new byte[UNIT], sim.log);
    source.event =
        call -> {
          throw new IOException("Input/output error");
        };
    try (ReadStream read = sim.io.openInput(source, UNIT, "x", BURST, sim.units)) {
      sim.disk.turns();
      assertThatThrownBy(() -> read.read(new byte[1], 0, 1))
          .hasMessageContaining("Input/output error");
    }
    assertThat(sim.io.healthyDirs()).containsExactly(Simulation.A, Simulation.B);
  }

  @Test
  void aDataNodeThatIsSilentKeepsLocalFilesWaitingForSecondsOnly() throws Exception {
    sim.disk.silence = true;
    try (ReadStream first = input();
        WriteStream write = sim.write("w", IoClass.ACTIVE)) {
      sim.disk.turns();
      burst(write);
      sim.disk.turns();
      assertThat(sim.log).as("it may still answer").isEmpty();
      sim.advanceMs(2_001);
      sim.io.tick();
      sim.disk.turns();
      assertThat(sim.log).hasSize(BURST).containsOnly("w");
      ReadStream second = input();
      burst(write);
      sim.disk.turns();
      assertThat(sim.log).as("nobody waits for it once more").hasSize(2 * BURST);
      sim.disk.answers();
      sim.disk.turns();
      byte[] into = new byte[UNIT];
      assertThat(first.read(into, 0, UNIT)).isEqualTo(UNIT);
      assertThat(second.read(into, 0, UNIT)).isEqualTo(UNIT);
      second.close();
    }
    sim.disk.turns();
    assertThat(sim.units.lent()).isZero();
    assertThat(sim.chargedInAll()).isZero();
    assertThat(StreamsTest.filesOpen(sim)).isZero();
  }

  @Test
  void whoAnswersAgainTakesTurnsAgain() throws Exception {
    sim.disk.silence = true;
    try (ReadStream late = input();
        WriteStream write = sim.write("w", IoClass.ACTIVE)) {
      sim.disk.turns();
      sim.advanceMs(2_001);
      sim.io.tick();
      sim.disk.answers();
      sim.disk.turns();
      sim.disk.silence = true;
      ReadStream next = input();
      sim.disk.turns();
      sim.log.clear();
      burst(write);
      sim.disk.turns();
      assertThat(sim.log).as("the disk is about the DataNode's block").isEmpty();
      sim.disk.answers();
      sim.disk.turns();
      assertThat(sim.log).startsWith("in", "in", "in", "in").contains("w");
      next.close();
    }
    sim.disk.turns();
    assertThat(StreamsTest.filesOpen(sim)).isZero();
  }

  /** Each burst lasts longer than local files wait, and somebody is late at any time. */
  @Test
  void inputThatIsOnlySlowKeepsItsTurns() throws Exception {
    sim.disk.silence = true;
    List<ReadStream> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(input());
      laterMs(i < 3 ? 600 : 800);
    }
    assertThat(sim.log).as("all are asked for beside the turns").isEmpty();
    laterMs(1_000);
    sim.disk.answersOne();
    laterMs(1_600);
    sim.disk.answersOne();
    laterMs(500);
    assertThat(sim.log).as("the first burst of two").hasSize(2 * BURST).containsOnly("in");
    try (WriteStream write = sim.write("w", IoClass.ACTIVE)) {
      burst(write);
      sim.disk.turns();
      assertThat(sim.log).as("the disk is about the next block").doesNotContain("w");
      laterMs(2_001);
      assertThat(sim.log).as("for seconds only").contains("w");
      sim.disk.answers();
      sim.disk.turns();
      for (ReadStream each : all) {
        each.close();
      }
    }
    sim.disk.turns();
    assertThat(sim.units.lent()).isZero();
    assertThat(StreamsTest.filesOpen(sim)).isZero();
  }

  private void laterMs(long ms) {
    sim.disk.turns();
    sim.advanceMs(ms);
    sim.io.tick();
    sim.disk.turns();
  }

  @Test
  void withoutAThreadForItInputIsReadInItsTurn() throws Exception {
    sim.disk.inputLacking = 1;
    try (ReadStream read = input();
        WriteStream write = sim.write("w", IoClass.ACTIVE)) {
      burst(write);
      sim.disk.turns();
      assertThat(sim.log).contains("in", "w");
      assertThat(read.read(new byte[UNIT], 0, UNIT)).isEqualTo(UNIT);
      sim.disk.turns();
      sim.advanceMs(10_000);
      sim.io.tick();
      sim.disk.turns();
      sim.log.clear();
      WriteStream other = sim.write("o", IoClass.ACTIVE);
      burst(write);
      burst(other);
      assertThat(sim.disk.waiting()).as("turns at once").isEqualTo(1);
      sim.disk.turns();
      other.close();
    }
    sim.disk.turns();
    assertThat(StreamsTest.filesOpen(sim)).isZero();
  }

  @Test
  void aTurnThatHasNoThreadIsNotLost() throws Exception {
    sim.disk.lacking = 1;
    try (WriteStream write = sim.write("w", IoClass.ACTIVE)) {
      burst(write);
      assertThat(sim.disk.waiting()).isZero();
      sim.io.tick();
      assertThat(sim.disk.turns()).isEqualTo(1);
      assertThat(sim.log).hasSize(BURST);
    }
  }

  @Test
  void aDataNodeThatIsSilentForLongIsNoDiskThatHangs() throws Exception {
    sim.disk.silence = true;
    try (ReadStream read = input()) {
      WriteStream write = sim.write("w", IoClass.ACTIVE);
      sim.disk.turns();
      sim.addUnit(write, 1);
      sim.advanceMs(600_000);
      sim.io.tick();
      sim.disk.turns();
      assertThat(sim.io.healthyDirs()).containsExactly(Simulation.A, Simulation.B);
      assertThat(sim.io.snapshot()).allMatch(disk -> disk.longestInFlightMs() == 0);
      var written = write.finish();
      sim.disk.turns();
      assertThat(written.get().bytes()).isEqualTo(UNIT);
      sim.disk.answers();
      sim.disk.turns();
      assertThat(read.read(new byte[UNIT], 0, UNIT)).isEqualTo(UNIT);
    }
    assertThat(sim.health).isEmpty();
  }

  @Test
  void whatASilentDataNodeIsAskedForEndsWithTheScheduler() throws Exception {
    sim.disk.silence = true;
    ReadStream read = input();
    sim.disk.turns();
    sim.io.close();
    assertThatThrownBy(() -> read.read(new byte[1], 0, 1)).hasMessageContaining("closed");
    sim.disk.answers();
    sim.disk.turns();
    assertThat(sim.units.lent()).isZero();
    assertThat(StreamsTest.filesOpen(sim)).isZero();
  }

  private ReadStream input() throws IOException {
    FakeSource source = new FakeSource(Path.of("/hdfs:/in"), new byte[2 * BURST * UNIT], sim.log);
    return sim.io.openInput(source, source.bytes.length, "x", 2 * BURST, sim.units);
  }

  private void burst(WriteStream write) throws IOException, InterruptedException {
    for (int i = 0; i < BURST; i++) {
      sim.addUnit(write, i);
    }
  }

  @Test
  void inputOnOtherOrSeveralDisksIsReadAsEver() {
    assertThat(spinning(List.of()).io.takesInput()).isFalse();
    assertThat(spinning(List.of(Path.of("/disks/b/hdfs"))).io.takesInput()).isFalse();
    assertThat(spinning(List.of(Path.of("/disks/c/hdfs"))).io.takesInput()).isFalse();
    assertThat(
            spinning(List.of(Path.of("/disks/a/hdfs"), Path.of("/disks/b/hdfs"))).io.takesInput())
        .isFalse();
    assertThat(
            spinning(List.of(Path.of("/disks/a/hdfs"), Path.of("/disks/a/more"))).io.takesInput())
        .isTrue();
  }
}
