// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.mammoth.api.status.DiskUse;
import org.mammoth.engine.memory.CacheUnit;

/** Disks that fail, are full or hang, and how they come back. */
class OutagesTest {

  private static final int UNIT = Simulation.UNIT;

  private final Simulation sim = new Simulation();

  private CompletableFuture<Written> writeFailing(Throwable error) throws Exception {
    FakeTarget target = sim.target("f");
    target.event =
        call -> {
          if (error instanceof IOException e) {
            throw e;
          }
          throw (Error) error;
        };
    WriteStream stream = sim.io.openWrite(target, IoClass.ACTIVE, "x");
    sim.addUnit(stream, 1);
    CompletableFuture<Written> result = stream.finish();
    sim.disk.turns();
    assertThat(result).isCompletedExceptionally();
    return result;
  }

  @Test
  void aBadDiskIsLeftOutProbedAndUsedAgain() throws Exception {
    writeFailing(new IOException("Input/output error"));
    assertThat(sim.io.healthyDirs()).containsExactly(Simulation.B);
    assertThat(sim.health).containsExactly("a QUARANTINED");
    assertThatThrownBy(() -> sim.write("g", IoClass.ACTIVE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("quarantined")
        .hasMessageContaining("mammoth.io.quarantine.time-ms");
    sim.probe.bad.put(Simulation.A, "Input/output error");
    sim.advanceMs(59_999);
    sim.io.tick();
    sim.disk.turns();
    assertThat(sim.probe.tries).as("not due").isZero();
    sim.advanceMs(1);
    sim.io.tick();
    sim.io.tick();
    sim.disk.turns();
    assertThat(sim.probe.tries).as("due once").isEqualTo(1);
    assertThat(sim.io.healthyDirs()).containsExactly(Simulation.B);
    DiskUse.Dir dir = sim.io.snapshot().get(0).dirs().get(0);
    assertThat(dir.state()).isEqualTo("QUARANTINED");
    assertThat(dir.retryInMs()).isEqualTo(60_000);
    sim.probe.bad.clear();
    sim.advanceMs(60_000);
    sim.io.healthyDirs();
    sim.disk.turns();
    assertThat(sim.io.healthyDirs()).containsExactly(Simulation.A, Simulation.B);
    assertThat(sim.health).containsExactly("a QUARANTINED", "a HEALTHY");
    CompletableFuture<Written> result = sim.write("g", IoClass.ACTIVE).finish();
    sim.disk.turns();
    assertThat(result.get().bytes()).isZero();
  }

  @Test
  void aDirectoryThatIsDueWithoutAThreadIsProbedAfterAnotherPause() throws Exception {
    writeFailing(new IOException("Input/output error"));
    sim.disk.lacking = 1;
    sim.advanceMs(60_000);
    sim.io.tick();
    sim.disk.turns();
    assertThat(sim.probe.tries).isZero();
    sim.advanceMs(60_000);
    sim.io.tick();
    sim.disk.turns();
    assertThat(sim.io.healthyDirs()).containsExactly(Simulation.A, Simulation.B);
  }

  @Test
  void aFullDiskComesBackWithSpace() throws Exception {
    CompletableFuture<Written> result = writeFailing(new IOException("No space left on device"));
    assertThatThrownBy(result::get).hasMessageContaining("mammoth.io.full.free-mb");
    assertThat(sim.health).containsExactly("a FULL");
    assertThatThrownBy(() -> sim.write("g", IoClass.ACTIVE)).hasMessageContaining("full");
    sim.probe.usable.put(Simulation.A, (512L << 20) - 1);
    sim.advanceMs(10_000);
    sim.io.tick();
    sim.disk.turns();
    assertThat(sim.io.healthyDirs()).containsExactly(Simulation.B);
    assertThat(sim.probe.tries).as("no file is tried without space").isZero();
    sim.probe.usable.put(Simulation.A, 512L << 20);
    sim.advanceMs(10_000);
    sim.io.tick();
    sim.disk.turns();
    assertThat(sim.io.healthyDirs()).containsExactly(Simulation.A, Simulation.B);
  }

  @Test
  void anErrorAroundAFullDisksErrorIsSeenThrough() throws Exception {
    writeFailing(new Error("as FSError does", new IOException("No space left on device")));
    assertThat(sim.health).containsExactly("a FULL");
  }

  @Test
  void aFileRemovedWithItsJobIsNoReasonToLeaveADiskOut() throws Exception {
    writeFailing(new NoSuchFileException("/disks/a/local/f"));
    assertThat(sim.io.healthyDirs()).hasSize(2);
    assertThat(sim.probe.tries).isZero();
  }

  @Test
  void anErrorThatSaysNothingIsDecidedByAProbeFile() throws Exception {
    writeFailing(new IOException("stream broken"));
    assertThat(sim.probe.tries).isEqualTo(1);
    assertThat(sim.io.healthyDirs()).hasSize(2);
    sim.probe.bad.put(Simulation.A, "No space left on device");
    writeFailing(new IOException("stream broken"));
    assertThat(sim.health).containsExactly("a FULL");
  }

  @Test
  void aReadErrorOfTheDiskLeavesItOutButItMayStillBeRead() throws Exception {
    FakeSource source = sim.source("r", new byte[UNIT]);
    source.event =
        call -> {
          throw new IOException("Input/output error");
        };
    ReadStream bad = sim.io.openRead(source, 0, UNIT, IoClass.ACTIVE, "x", 2, sim.units);
    sim.disk.turns();
    assertThatThrownBy(() -> bad.read(new byte[1], 0, 1))
        .hasMessageContaining("reading /disks/a/local/r for x failed on disk a");
    bad.close();
    assertThat(source.closes).isEqualTo(1);
    assertThat(sim.io.healthyDirs()).containsExactly(Simulation.B);
    ReadStream good =
        sim.io.openRead(
            sim.source("s", new byte[UNIT]), 0, UNIT, IoClass.ACTIVE, "x", 2, sim.units);
    sim.disk.turns();
    assertThat(good.read(new byte[UNIT], 0, UNIT)).isEqualTo(UNIT);
    good.close();
    sim.disk.turns();
    assertThat(sim.units.lent()).isZero();
    assertThat(sim.chargedInAll()).isZero();
  }

  @Test
  void aDiskThatHangsFailsAllItsFilesAtOnce() throws Exception {
    FakeTarget stuck = sim.target("stuck");
    WriteStream stream = sim.io.openWrite(stuck, IoClass.ACTIVE, "x");
    WriteStream behind = sim.write("behind", IoClass.SORT);
    ReadStream reader =
        sim.io.openRead(
            sim.source("r", new byte[UNIT]), 0, UNIT, IoClass.RECEIVE, "y", 2, sim.units);
    sim.addUnit(stream, 1);
    sim.addUnit(stream, 2);
    sim.addUnit(behind, 3);
    CompletableFuture<Written> result = stream.finish();
    CompletableFuture<Written> resultBehind = behind.finish();
    stuck.event =
        call -> {
          if (call == 1) {
            sim.advanceMs(300_000);
            sim.io.tick();
            assertThat(result).as("still in time").isNotDone();
            sim.advanceMs(1);
            sim.io.tick();
            assertThat(result).isCompletedExceptionally();
            assertThat(resultBehind).isCompletedExceptionally();
            assertThat(sim.units.lent()).as("only what the disk still reads").isEqualTo(1);
            assertThatThrownBy(() -> reader.read(new byte[1], 0, 1))
                .hasMessageContaining("mammoth.io.stall.timeout-ms");
            assertThat(sim.io.healthyDirs()).containsExactly(Simulation.B);
            DiskUse disk = sim.io.snapshot().get(0);
            assertThat(disk.inFlight()).isEqualTo(1);
            assertThat(disk.longestInFlightMs()).isEqualTo(300_001);
          }
        };
    sim.disk.turns();
    assertThatThrownBy(result::get)
        .hasMessageContaining("disk a has not answered for more than 300000 ms");
    assertThat(stuck.aborts).isEqualTo(1);
    reader.close();
    sim.disk.turns();
    assertThat(sim.units.lent()).isZero();
    assertThat(sim.chargedInAll()).isZero();
    assertThat(StreamsTest.filesOpen(sim)).isZero();
  }

  @Test
  void theConsoleSeesWhatWaitsWhereAndForHowLong() throws Exception {
    WriteStream send = sim.write("f", IoClass.SEND);
    sim.addUnit(send, 1);
    sim.advanceMs(40);
    CacheUnit unit = sim.units.poll();
    send.add(unit, 0, 100, failed -> sim.units.give(unit));
    sim.advanceMs(2);
    DiskUse.Lane lane = lane(IoClass.SEND);
    assertThat(lane.files()).isEqualTo(1);
    assertThat(lane.depthUnits()).isEqualTo(2);
    assertThat(lane.heldBytes()).isEqualTo(2L * UNIT);
    assertThat(lane.oldestAgeMs()).isEqualTo(42);
    assertThat(lane.totalBytes()).isZero();
    assertThat(lane(IoClass.ACTIVE).files()).isZero();
    sim.disk.turns();
    lane = lane(IoClass.SEND);
    assertThat(lane.depthUnits()).isZero();
    assertThat(lane.oldestAgeMs()).isZero();
    assertThat(lane.totalBytes()).isEqualTo(UNIT + 100);
    assertThat(lane.bytesPerSecond()).isEqualTo((UNIT + 100) / 5.0);
    sim.advanceMs(5_000);
    assertThat(lane(IoClass.SEND).bytesPerSecond()).isLessThan((UNIT + 100) / 5.0 * 0.37);
    send.abort();
    sim.disk.turns();
    writeFailing(new IOException("Input/output error"));
    assertThat(lane(IoClass.ACTIVE).errors()).isEqualTo(1);
  }

  private DiskUse.Lane lane(IoClass ioClass) {
    return sim.io.snapshot().get(0).lanes().stream()
        .filter(lane -> lane.ioClass().equals(ioClass.name()) && lane.direction().equals("WRITE"))
        .findAny()
        .orElseThrow();
  }
}
