// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.ReduceSplit;
import org.mammoth.engine.io.FileSource;
import org.mammoth.engine.io.FileTarget;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.IoSettings;
import org.mammoth.engine.io.RangeReads;
import org.mammoth.engine.io.RangeSettings;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.CachePool;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.SchedulerSettings;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.OutputSegment;
import org.mammoth.engine.send.PartitionIndex;
import org.mammoth.engine.send.ScheduledInput;
import org.mammoth.engine.send.WriteBehindFile;
import org.mammoth.engine.shuffle.client.ClientSettings;
import org.mammoth.engine.shuffle.client.Fetch;
import org.mammoth.engine.shuffle.client.FetchRequest;
import org.mammoth.engine.shuffle.client.FetchSink;
import org.mammoth.engine.shuffle.client.ShuffleClient;
import org.mammoth.engine.shuffle.server.Readers;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.SegmentSource;
import org.mammoth.engine.shuffle.server.ServerSettings;
import org.mammoth.engine.shuffle.server.ShuffleServer;

/**
 * Ranges per second and CPU of the serving side, of map outputs in memory and in page-cached files,
 * over loopback. Not of the usual tests; name it with {@code -Dtest}.
 */
@Tag("benchmark")
class RangesBenchmark {

  private static final int UNIT = 2 << 20;
  private static final int FILES = 16;
  private static final int PARTITIONS = 16;
  private static final int PARTITION_BYTES = 256 << 10;
  private static final int AT_ONCE = 256;

  /**
   * Ranges of a measurement by their size in KiB: CPU is compared, also where others take turns.
   */
  private static final Map<Integer, Integer> RANGES = Map.of(4, 24_576, 64, 8_192, 256, 3_072);

  @TempDir Path dir;

  @Test
  void rangesPerSecond() throws Exception {
    Configuration io = new Configuration(false);
    CachePool pool = new CachePool(BufferType.DIRECT, UNIT, 2 * FILES * 2);
    CacheScheduler scheduler =
        new CacheScheduler(
            pool,
            new Ledger((long) UNIT * 4 * FILES),
            new SchedulerSettings(0.9, 0.75, 1, ReduceSplit.EVEN, 64),
            System::nanoTime);
    try (IoScheduler disks =
        IoScheduler.builder(IoSettings.of(io, UNIT), List.of(dir))
            .threads(RangesBenchmark::daemon)
            .build()) {
      Map<String, MapOutput> outputs = new HashMap<>();
      for (int i = 0; i < 2 * FILES; i++) {
        boolean inMemory = i < FILES;
        String attempt = (inMemory ? "memory_" : "file_") + i % FILES;
        UnitSource units =
            inMemory
                ? scheduler.registerMap(new LeaseOwner("ann", Rig.JOB, attempt), 1).send()
                : null;
        outputs.put(attempt, output(disks, attempt, units));
      }
      for (String where : List.of("memory", "file")) {
        for (int bytes : new int[] {4 << 10, 64 << 10, 256 << 10}) {
          run(disks, outputs, where, bytes);
        }
      }
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "disk");
    thread.setDaemon(true);
    return thread;
  }

  private MapOutput output(IoScheduler disks, String attempt, UnitSource units) throws IOException {
    Path path = dir.resolve(attempt);
    PartitionIndex index = new PartitionIndex(PARTITIONS);
    byte[] bytes = new byte[PARTITION_BYTES];
    CacheFile memory;
    WriteBehindFile file =
        new WriteBehindFile(disks.openWrite(new FileTarget(path), IoClass.ACTIVE, attempt), units);
    for (int p = 0; p < PARTITIONS; p++) {
      new Random(p).nextBytes(bytes);
      index.set(p, (long) p * bytes.length, bytes.length, bytes.length);
      file.write(bytes, 0, bytes.length);
    }
    memory = file.finish();
    if (units != null && memory == null || Files.size(path) != file.length()) {
      throw new IOException("no output as it is wanted");
    }
    return new MapOutput(Rig.JOB, attempt, path.toString(), index, memory, file.sums());
  }

  private static SegmentSource source(IoScheduler disks, Map<String, MapOutput> outputs) {
    RangeReads ranges = disks.openRanges(RangeSettings.of(new Configuration(false)), "other nodes");
    return new SegmentSource() {
      @Override
      public Segment find(String job, String mapAttempt, int partition) throws IOException {
        return new OutputSegment(
            outputs.get(mapAttempt),
            partition,
            (path, from, length) -> open(disks, path, from, length),
            "disk",
            ranges);
      }

      @Override
      public String waitsFor(String job, String mapAttempt) {
        MapOutput output = outputs.get(mapAttempt);
        return output.heldBytes() > 0 || output.isOpen() ? Readers.MEMORY : "disk";
      }
    };
  }

  private static InputStream open(IoScheduler disks, String path, long from, long length)
      throws IOException {
    return new ScheduledInput(
        disks.openRead(
            new FileSource(Path.of(path)), from, length, IoClass.SEND, "other nodes", 1, null));
  }

  private static List<Fetch> ask(
      ShuffleClient client, Rig rig, List<FetchRequest> requests, List<FetchSink> sinks) {
    return client.fetchAll(rig.address, requests, sinks);
  }

  private static void run(
      IoScheduler disks, Map<String, MapOutput> outputs, String where, int bytes) throws Exception {
    try (Rig rig = new Rig()) {
      ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
      rig.conf.unset("mammoth.shuffle.chunk-bytes");
      rig.conf.unset("mammoth.shuffle.fetch.window-bytes");
      NioEventLoopGroup clientLoops = new NioEventLoopGroup(2);
      rig.server =
          new ShuffleServer(
              ServerSettings.from(rig.conf),
              rig.serverSecrets::get,
              source(disks, outputs),
              rig.pusher,
              () -> null,
              rig.loops,
              Readers.of(rig.readers),
              System::nanoTime);
      rig.address = rig.server.start();
      ShuffleClient client =
          new ShuffleClient(
              ClientSettings.from(rig.conf),
              rig.clientSecrets::get,
              () -> null,
              clientLoops,
              rig.scheduler);
      List<Long> others = new ArrayList<>();
      others.add(Thread.currentThread().getId());
      clientLoops.forEach(
          loop ->
              loop.submit(() -> others.add(Thread.currentThread().getId())).syncUninterruptibly());
      rig.timer.submit(() -> others.add(Thread.currentThread().getId())).get();
      measure(client, rig, where, bytes, others, false);
      measure(client, rig, where, bytes, others, true);
      client.close();
      clientLoops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    }
  }

  private static void measure(
      ShuffleClient client, Rig rig, String where, int bytes, List<Long> others, boolean shown)
      throws Exception {
    byte[] into = new byte[PARTITION_BYTES];
    FetchSink sink = (offset, data) -> data.get(into, 0, data.remaining());
    long cpu = serverCpu(others);
    long start = System.nanoTime();
    long ranges = 0;
    long at = 0;
    while (ranges < RANGES.get(bytes >> 10)) {
      List<FetchRequest> requests = new ArrayList<>();
      List<FetchSink> sinks = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++, at++) {
        String attempt = where + "_" + at % FILES;
        long block = at / FILES;
        SegmentKey key = new SegmentKey(Rig.JOB, attempt, (int) (block % PARTITIONS));
        long offset = block / PARTITIONS * bytes % PARTITION_BYTES;
        requests.add(new FetchRequest(key, offset, bytes, 0, false));
        sinks.add(sink);
      }
      for (Fetch fetch : ask(client, rig, requests, sinks)) {
        fetch.future().get(60, TimeUnit.SECONDS);
      }
      ranges += AT_ONCE;
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    double serverSeconds = (serverCpu(others) - cpu) / 1e9;
    if (shown) {
      System.out.printf(
          "%s %d KiB: %.0f ranges/s, %.0f MB/s, server %.2f CPU s per GB, %.1f us per range%n",
          where,
          bytes >> 10,
          ranges / seconds,
          ranges * (double) bytes / 1e6 / seconds,
          serverSeconds / (ranges * (double) bytes / 1e9),
          serverSeconds * 1e6 / ranges);
    }
  }

  /** CPU of all threads but the client's, those of the JVM left out. */
  private static long serverCpu(List<Long> others) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (long id : threads.getAllThreadIds()) {
      if (!others.contains(id)) {
        sum += Math.max(0, threads.getThreadCpuTime(id));
      }
    }
    return sum;
  }
}
