// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.mammoth.api.status.DiskUse;
import org.mammoth.engine.config.IoKeys;
import org.mammoth.engine.memory.CacheUnit;

/**
 * Many files of all classes with errors and aborts between and in the middle of their I/O, checked
 * against a plain model. {@code -Dmammoth.test.seed} repeats a history.
 */
class RandomHistoryTest {

  private static final int UNIT = Simulation.UNIT;
  private static final int HISTORIES = 300;
  private static final int STEPS = 400;

  /** A file being written and what its owner was told. */
  private static final class Writer {
    String name;
    IoClass ioClass;
    FakeTarget target;
    WriteStream stream;
    CompletableFuture<Written> result;
    final ByteArrayOutputStream added = new ByteArrayOutputStream();
    final List<Integer> told = new ArrayList<>();
    int failures;
    boolean hurt;

    boolean waits() {
      return !hurt && told.contains(0);
    }
  }

  /** A file being read and what came back. */
  private static final class Reader {
    FakeSource source;
    ReadStream stream;
    int offset;
    int length;
    int got;
    boolean closed;
    boolean hurt;
  }

  private Random random;
  private Simulation sim;
  private boolean spinning;
  private Map<String, Writer> writers;
  private List<Reader> readers;

  @Test
  void whateverHappensNothingIsLostOrTouchedTwice() throws Exception {
    long seed = Long.getLong("mammoth.test.seed", System.nanoTime());
    int complete = 0;
    int failed = 0;
    for (int i = 0; i < HISTORIES; i++) {
      System.out.println("-Dmammoth.test.seed=" + (seed + i));
      random = new Random(seed + i);
      history();
      for (Writer writer : writers.values()) {
        if (writer.result.isCompletedExceptionally()) {
          failed++;
        } else {
          complete++;
        }
      }
      if (Long.getLong("mammoth.test.seed") != null) {
        return;
      }
    }
    System.out.println(complete + " files were completed, " + failed + " failed or aborted");
    assertThat(complete).isGreaterThan(HISTORIES);
    assertThat(failed).isGreaterThan(HISTORIES);
  }

  private void history() throws Exception {
    Configuration conf = new Configuration(false);
    conf.setLong(IoKeys.AGING_AFTER_MS.name(), 3_600_000);
    conf.setInt(IoKeys.QUEUE_UNITS.name(), 1 + random.nextInt(6));
    conf.setInt(IoKeys.BURST_UNITS.name(), 1 + random.nextInt(4));
    spinning = random.nextBoolean();
    sim = new Simulation(conf, spinning, List.of());
    writers = new LinkedHashMap<>();
    readers = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      step();
    }
    for (Writer writer : writers.values()) {
      if (writer.result == null) {
        writer.result = writer.stream.finish(random.nextBoolean());
      }
    }
    for (Reader reader : readers) {
      while (!reader.closed) {
        turns();
        read(reader);
      }
    }
    turns();
    check();
  }

  private void step() throws Exception {
    sim.advanceMs(random.nextInt(20));
    switch (random.nextInt(10)) {
      case 0:
        openWriter();
        break;
      case 1:
        openReader();
        break;
      case 2:
      case 3:
      case 4:
        add();
        break;
      case 5:
        if (random.nextInt(6) == 0 && pick() != null) {
          Writer writer = pick();
          writer.hurt = true;
          writer.stream.abort();
        } else if (random.nextInt(3) == 0 && pick() != null) {
          Writer writer = pick();
          writer.result = writer.stream.finish(random.nextBoolean());
        }
        break;
      case 6:
        if (!readers.isEmpty()) {
          read(readers.get(random.nextInt(readers.size())));
        }
        break;
      default:
        turn();
        break;
    }
  }

  private Writer pick() {
    List<Writer> all = new ArrayList<>(writers.values());
    return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
  }

  private void openWriter() throws IOException {
    if (writers.size() == 12) {
      return;
    }
    Writer writer = new Writer();
    writer.name = "w" + writers.size();
    writer.ioClass = IoClass.values()[random.nextInt(4)];
    writer.target = sim.target(writer.name);
    writer.stream = sim.io.openWrite(writer.target, writer.ioClass, "owner_" + writer.name);
    int bad = random.nextInt(3) == 0 ? random.nextInt(12) : -1;
    int way = random.nextInt(4);
    writer.target.event =
        call -> {
          if (call == bad) {
            trouble(writer, way);
          }
        };
    writers.put(writer.name, writer);
  }

  /** What goes wrong in the middle of a call of the target. */
  private void trouble(Writer writer, int way) throws IOException {
    writer.hurt = true;
    switch (way) {
      case 0:
        throw new NoSuchFileException(writer.name);
      case 1:
        throw new IllegalStateException("target's mistake");
      case 2:
        writer.stream.abort();
        break;
      default:
        sim.io.abortAll("owner_" + writer.name);
        break;
    }
  }

  private void openReader() throws IOException {
    if (readers.size() == 8) {
      return;
    }
    Reader reader = new Reader();
    byte[] bytes = new byte[1 + random.nextInt(8 * UNIT)];
    random.nextBytes(bytes);
    reader.source = sim.source("r" + readers.size(), bytes);
    reader.source.chunk = 1 + random.nextInt(2 * UNIT);
    reader.offset = random.nextInt(bytes.length);
    reader.length = random.nextInt(bytes.length - reader.offset + 1);
    int bad = random.nextInt(4) == 0 ? random.nextInt(6) : -1;
    boolean close = random.nextBoolean();
    reader.source.event =
        call -> {
          if (call == bad) {
            reader.hurt = true;
            if (!close) {
              throw new NoSuchFileException("gone");
            }
            reader.stream.close();
          }
        };
    reader.stream =
        sim.io.openRead(
            reader.source,
            reader.offset,
            reader.length,
            IoClass.values()[random.nextInt(4)],
            "reader",
            1 + random.nextInt(4),
            random.nextInt(4) == 0 ? null : sim.units);
    readers.add(reader);
  }

  private void add() throws Exception {
    Writer writer = pick();
    if (writer == null || writer.result != null) {
      return;
    }
    int length = random.nextInt(UNIT + 1);
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    CacheUnit unit = random.nextBoolean() ? sim.units.poll() : null;
    int held = unit == null ? length : UNIT;
    if (!writer.stream.hasRoom(held)) {
      if (unit != null) {
        sim.units.give(unit);
      }
      return;
    }
    int piece = writer.told.size();
    writer.told.add(0);
    WriteCallback callback =
        failure -> {
          writer.told.set(piece, writer.told.get(piece) + 1);
          writer.failures += failure == null ? 0 : 1;
          if (unit != null) {
            sim.units.give(unit);
          }
        };
    try {
      if (unit == null) {
        writer.stream.add(bytes, 0, length, callback);
      } else {
        int from = random.nextInt(UNIT - length + 1);
        unit.put(from, bytes, 0, length);
        writer.stream.add(unit, from, length, callback);
      }
      writer.added.writeBytes(bytes);
    } catch (IOException e) {
      assertThat(writer.hurt).as("%s failed by itself: %s", writer.name, e).isTrue();
    }
  }

  private void read(Reader reader) throws Exception {
    if (reader.closed || !reader.stream.isReady()) {
      return;
    }
    byte[] into = new byte[1 + random.nextInt(UNIT)];
    int count;
    try {
      count = reader.stream.read(into, 0, into.length);
    } catch (IOException e) {
      assertThat(reader.hurt).as("reading failed by itself: %s", e).isTrue();
      count = -1;
    }
    if (count < 0) {
      assertThat(reader.hurt || reader.got == reader.length).isTrue();
    } else {
      int at = reader.offset + reader.got;
      assertThat(Arrays.equals(into, 0, count, reader.source.bytes, at, at + count)).isTrue();
      reader.got += count;
    }
    if (count < 0 || random.nextInt(20) == 0) {
      reader.closed = true;
      reader.stream.close();
    }
  }

  private void turns() {
    int turns = 0;
    while (turn()) {
      turns++;
      assertThat(turns).isLessThan(100_000);
    }
  }

  /** One turn; whoever is written in it is of the best rank that waits to be written. */
  private boolean turn() {
    int best =
        writers.values().stream()
            .filter(Writer::waits)
            .mapToInt(writer -> writer.ioClass.rank(IoDirection.WRITE))
            .min()
            .orElse(IoClass.RANKS);
    int before = sim.log.size();
    boolean any = sim.disk.turn();
    for (String name : sim.log.subList(before, sim.log.size())) {
      // A spinning disk is not sent for less than a burst, however urgent.
      if (!spinning && writers.containsKey(name)) {
        assertThat(writers.get(name).ioClass.rank(IoDirection.WRITE))
            .as("%s was served", name)
            .isLessThanOrEqualTo(best);
      }
    }
    return any;
  }

  private void check() throws Exception {
    for (Writer writer : writers.values()) {
      assertThat(writer.result).as(writer.name).isDone();
      assertThat(writer.told).as(writer.name).allMatch(times -> times == 1);
      if (writer.result.isCompletedExceptionally()) {
        assertThat(writer.hurt).as(writer.name).isTrue();
        assertThat(writer.target.aborts).as(writer.name).isEqualTo(1);
      } else {
        byte[] bytes = writer.added.toByteArray();
        assertThat(writer.failures).isZero();
        assertThat(writer.target.bytes.toByteArray()).isEqualTo(bytes);
        assertThat(writer.target.state).isEqualTo("closed");
        assertThat(writer.result.get().bytes()).isEqualTo(bytes.length);
        assertThat(writer.result.get().sums())
            .hasValueSatisfying(sums -> FileSums.assertFits(sums, bytes));
      }
    }
    for (Reader reader : readers) {
      assertThat(reader.source.closes).isEqualTo(1);
    }
    assertThat(sim.units.lent()).isZero();
    assertThat(sim.chargedInAll()).isZero();
    assertThat(sim.disk.waiting()).isZero();
    assertThat(StreamsTest.filesOpen(sim)).isZero();
    for (DiskUse.Lane lane : sim.io.snapshot().get(0).lanes()) {
      assertThat(lane.heldBytes()).isZero();
      assertThat(lane.depthUnits()).isZero();
    }
  }
}
