// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.IoKeys;
import org.mammoth.engine.memory.CacheUnit;

/** A scheduler whose disks, clock and memory a test drives step by step. */
final class Simulation {

  static final int UNIT = 4096;
  static final Path A = Path.of("/disks/a/local");
  static final Path B = Path.of("/disks/b/local");

  final List<String> log = new ArrayList<>();
  final List<String> health = new ArrayList<>();
  final Map<String, Long> charged = new HashMap<>();
  final ManualDisk disk = new ManualDisk();
  final FakeProbe probe = new FakeProbe();
  final LentUnits units = new LentUnits(BufferType.ARRAY, UNIT, 64);
  final IoScheduler io;
  long now = -5_000_000_000L;

  Simulation() {
    this(new Configuration(false));
  }

  Simulation(Configuration conf) {
    this(conf, false, List.of());
  }

  /**
   * @param spinning whether A's disk spins
   * @param inputDirs where a DataNode's blocks are
   */
  Simulation(Configuration conf, boolean spinning, List<Path> inputDirs) {
    conf.setIfUnset(IoKeys.READ_BUFFER_KB.name(), "4");
    io =
        IoScheduler.builder(IoSettings.of(conf, UNIT), List.of(A, B))
            .disks(dir -> dir.getParent().getFileName().toString())
            .spinning(dir -> spinning && dir.equals(A))
            .inputDirs(inputDirs)
            .executors(disk)
            .clock(() -> now)
            .probe(probe)
            .charge((owner, memory, bytes) -> charged.merge(owner + memory, bytes, Long::sum))
            .listener(
                (dir, state, reason) -> health.add(dir.getParent().getFileName() + " " + state))
            .build();
  }

  void advanceMs(long ms) {
    now += TimeUnit.MILLISECONDS.toNanos(ms);
  }

  FakeTarget target(String name) {
    return new FakeTarget(A.resolve(name), log);
  }

  FakeSource source(String name, byte[] bytes) {
    return new FakeSource(A.resolve(name), bytes, log);
  }

  WriteStream write(String name, IoClass ioClass) throws IOException {
    return io.openWrite(target(name), ioClass, "attempt_" + name);
  }

  /** Adds a unit full of {@code fill}; it goes back to the pool when it was called back. */
  void addUnit(WriteStream stream, int fill) throws IOException, InterruptedException {
    CacheUnit unit = units.poll();
    byte[] bytes = new byte[UNIT];
    java.util.Arrays.fill(bytes, (byte) fill);
    unit.put(0, bytes, 0, UNIT);
    stream.add(unit, 0, UNIT, failed -> units.give(unit));
  }

  long chargedInAll() {
    return charged.values().stream().mapToLong(Math::abs).sum();
  }
}
