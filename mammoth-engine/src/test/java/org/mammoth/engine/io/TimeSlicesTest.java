// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.config.IoKeys;

/** In which order a disk serves its files. */
class TimeSlicesTest {

  private final Simulation sim = new Simulation();

  @Test
  void writesGoByWhatFreesMemoryFirst() throws Exception {
    for (IoClass ioClass : List.of(IoClass.SORT, IoClass.SEND, IoClass.RECEIVE, IoClass.ACTIVE)) {
      WriteStream stream = sim.write("w" + ioClass, ioClass);
      sim.addUnit(stream, 1);
      sim.addUnit(stream, 2);
    }
    sim.disk.turns();
    assertThat(sim.log)
        .containsExactly(
            "wACTIVE", "wACTIVE", "wRECEIVE", "wRECEIVE", "wSEND", "wSEND", "wSORT", "wSORT");
  }

  @Test
  void passiveReadsGoTheOtherWayRound() throws Exception {
    for (IoClass ioClass : List.of(IoClass.RECEIVE, IoClass.SEND, IoClass.SORT, IoClass.ACTIVE)) {
      read("r" + ioClass, ioClass);
    }
    sim.disk.turns();
    assertThat(sim.log).containsExactly("rACTIVE", "rSORT", "rSEND", "rRECEIVE");
  }

  @Test
  void readsAndWritesOfOneRankTakeTurns() throws Exception {
    WriteStream write = sim.write("w", IoClass.ACTIVE);
    ReadStream read =
        sim.io.openRead(
            sim.source("r", new byte[3 * Simulation.UNIT]),
            0,
            3 * Simulation.UNIT,
            IoClass.ACTIVE,
            "x",
            3,
            sim.units);
    for (int i = 0; i < 3; i++) {
      sim.addUnit(write, i);
    }
    sim.disk.turns();
    assertThat(sim.log).containsExactly("w", "r", "w", "r", "w", "r");
    read.close();
  }

  @Test
  void equalFilesTakeTurnsOfOneUnit() throws Exception {
    for (String name : List.of("a", "b", "c")) {
      WriteStream stream = sim.write(name, IoClass.RECEIVE);
      for (int i = 0; i < 3; i++) {
        sim.addUnit(stream, i);
      }
    }
    sim.disk.turns();
    assertThat(String.join("", sim.log)).isEqualTo("abcabcabc");
  }

  @Test
  void aTurnTakesSmallPiecesUpToAUnit() throws Exception {
    WriteStream a = sim.write("a", IoClass.ACTIVE);
    WriteStream b = sim.write("b", IoClass.ACTIVE);
    for (int i = 0; i < 4; i++) {
      a.add(new byte[Simulation.UNIT / 2], 0, Simulation.UNIT / 2);
    }
    sim.addUnit(b, 1);
    sim.addUnit(b, 2);
    sim.disk.turns();
    assertThat(String.join("", sim.log)).isEqualTo("aabaab");
  }

  @Test
  void disksDoNotWaitForEachOther() throws Exception {
    WriteStream onA = sim.write("a", IoClass.ACTIVE);
    WriteStream onB =
        sim.io.openWrite(
            new FakeTarget(Simulation.B.resolve("b"), sim.log), IoClass.SORT, "attempt_b");
    sim.addUnit(onA, 1);
    sim.addUnit(onB, 1);
    assertThat(sim.disk.waiting()).isEqualTo(2);
    sim.disk.turns();
    assertThat(sim.log).containsExactly("a", "b");
  }

  /**
   * The rule against starvation: with {@code k} other overdue files a file is served within {@code
   * turns * (k + 1)} turns, and the best rank loses at most one turn in {@code turns}.
   */
  @Test
  void nobodyStarvesAndTheFirstRankKeepsItsShare() throws Exception {
    for (int aging : List.of(2, 3, 8, 20)) {
      for (int others : List.of(0, 1, 5)) {
        starve(aging, others);
      }
    }
  }

  private static void starve(int aging, int others) throws IOException, InterruptedException {
    Configuration conf = new Configuration(false);
    conf.setInt(IoKeys.AGING_TURNS.name(), aging);
    Simulation sim = new Simulation(conf);
    WriteStream active = sim.write("active", IoClass.ACTIVE);
    List<WriteStream> passive = new ArrayList<>();
    IoClass[] lower = {IoClass.SORT, IoClass.SEND, IoClass.RECEIVE};
    for (int i = 0; i <= others; i++) {
      passive.add(sim.write("p" + i, lower[i % 3]));
    }
    int turns = 1000;
    for (int i = 0; i < turns; i++) {
      feed(sim, active);
      for (WriteStream stream : passive) {
        feed(sim, stream);
      }
      sim.disk.turn();
      sim.advanceMs(300);
    }
    int warmUp = 4 + aging;
    for (int i = 0; i <= others; i++) {
      int last = warmUp;
      for (int turn = warmUp; turn < turns; turn++) {
        if (sim.log.get(turn).equals("p" + i)) {
          last = turn;
        }
        assertThat(turn - last)
            .as("turns that p%d of %d waits, 1 in %d is for the overdue", i, others + 1, aging)
            .isLessThanOrEqualTo(aging * (others + 1) + 4);
      }
    }
    long activeTurns = sim.log.stream().filter("active"::equals).count();
    System.out.printf(
        "aging %d, %d passive files: active had %d of %d turns%n",
        aging, others + 1, activeTurns, turns);
    assertThat(activeTurns).isGreaterThanOrEqualTo((long) turns * (aging - 1) / aging);
  }

  private static void feed(Simulation sim, WriteStream stream)
      throws IOException, InterruptedException {
    while (stream.hasRoom(Simulation.UNIT) && sim.units.lent() < 60) {
      sim.addUnit(stream, 0);
    }
  }

  private void read(String name, IoClass ioClass) throws IOException {
    sim.io.openRead(
        sim.source(name, new byte[Simulation.UNIT]),
        0,
        Simulation.UNIT,
        ioClass,
        "reader",
        1,
        sim.units);
  }
}
