// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.client.Fetch;
import org.mammoth.engine.shuffle.client.FetchRequest;
import org.mammoth.engine.shuffle.server.Pusher;
import org.mammoth.engine.shuffle.server.Readers;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.ServerSettings;
import org.mammoth.engine.shuffle.server.ShuffleServer;

/** How fast segments pass loopback. Not of the usual tests; name it with {@code -Dtest}. */
@Tag("benchmark")
class ThroughputBenchmark {

  private static final long LENGTH = 256L << 20;

  @Test
  void eightStreamsFromMemory() throws Exception {
    measure(new Rig());
  }

  /** With the JDK's TLS and the protocols and suites that Hadoop's defaults leave. */
  @Test
  void eightStreamsUnderTls() throws Exception {
    measure(TlsRig.open());
  }

  private static void measure(Rig opened) throws Exception {
    try (Rig rig = opened) {
      io.netty.util.ResourceLeakDetector.setLevel(
          io.netty.util.ResourceLeakDetector.Level.DISABLED);
      rig.conf.unset("mammoth.shuffle.chunk-bytes");
      rig.conf.unset("mammoth.shuffle.fetch.window-bytes");
      rig.start();
      rig.server.close();
      rig.server =
          new ShuffleServer(
              ServerSettings.from(rig.conf),
              rig.serverSecrets::get,
              (job, attempt, partition) -> memory(),
              new Pusher(),
              rig.serverTls,
              rig.loops,
              Readers.of(rig.readers),
              System::nanoTime);
      rig.address = rig.server.start();
      for (int round = 0; round < 4; round++) {
        round(rig);
      }
    }
  }

  private static void round(Rig rig) throws Exception {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    byte[] sink = new byte[4 << 20];
    long cpu = system.getProcessCpuTime();
    long start = System.nanoTime();
    List<Fetch> fetches = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      SegmentKey key = new SegmentKey(Rig.JOB, "attempt_1_m_" + i, 0);
      fetches.add(
          rig.client.fetch(
              rig.address,
              FetchRequest.whole(key),
              (offset, data) -> data.get(sink, 0, data.remaining())));
    }
    for (Fetch fetch : fetches) {
      fetch.future().get(120, TimeUnit.SECONDS);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    double gib = 8.0 * LENGTH / (1L << 30);
    double perGib = (system.getProcessCpuTime() - cpu) / 1e9 / gib;
    System.out.printf(
        "%.0f MiB/s, %.2f CPU s per GiB for both sides, %.2f GB/s per core and side%n",
        gib * 1024 / seconds, perGib, 2 * 1.073741824 / perGib);
  }

  private static Segment memory() {
    byte[] data = new byte[1 << 20];
    return new Segment() {
      @Override
      public long rawLength() {
        return LENGTH;
      }

      @Override
      public long partLength() {
        return LENGTH;
      }

      @Override
      public long identity() {
        return 1;
      }

      @Override
      public int flags() {
        return SegmentInfo.IN_MEMORY;
      }

      @Override
      public void read(long offset, java.nio.ByteBuffer into) throws IOException {
        into.put(data, 0, Math.min(into.remaining(), data.length));
      }

      @Override
      public void close() {
        // bytes of the heap
      }
    };
  }
}
