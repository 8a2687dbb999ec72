// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.IoKeys;
import org.mammoth.engine.memory.CacheUnit;

/** Real files and threads: producers at the bound, and disks that are slow, failing, full, hung. */
@Timeout(60)
class RealDisksTest {

  private static final int UNIT = 64 << 10;
  private static final int PRODUCERS = 8;

  @TempDir private Path folder;
  private Path a;
  private Path b;

  private final LentUnits units = new LentUnits(BufferType.DIRECT, UNIT, 32);
  private final AtomicLong charged = new AtomicLong();
  private final AtomicLong skewNanos = new AtomicLong();
  private final List<Thread> arms = new ArrayList<>();
  private final ExecutorService producers = Executors.newCachedThreadPool();
  private final FakeProbe probe = new FakeProbe();
  private IoScheduler io;

  /** A file that is written as fast as the test lets it. */
  private final class GatedTarget implements Target {
    final Target file;
    final Semaphore gate = new Semaphore(0);
    final AtomicInteger arrived = new AtomicInteger();
    volatile IOException failure;

    GatedTarget(Path path) {
      this.file = new FileTarget(path);
    }

    @Override
    public Path path() {
      return file.path();
    }

    @Override
    public void open() throws IOException {
      file.open();
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      arrived.incrementAndGet();
      gate.acquireUninterruptibly();
      if (failure != null) {
        throw failure;
      }
      file.write(bytes);
    }

    @Override
    public void force() throws IOException {
      file.force();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }

    @Override
    public void abort() throws IOException {
      file.abort();
    }
  }

  @BeforeEach
  void start() throws IOException {
    a = Files.createDirectory(folder.resolve("a"));
    b = Files.createDirectory(folder.resolve("b"));
    Configuration conf = new Configuration(false);
    conf.setInt(IoKeys.READ_BUFFER_KB.name(), 16);
    start(conf);
  }

  private void start(Configuration conf) {
    io =
        IoScheduler.builder(IoSettings.of(conf, UNIT), List.of(a, b))
            .disks(dir -> dir.getFileName().toString())
            .threads(
                task -> {
                  Thread thread = new Thread(task, "arm");
                  arms.add(thread);
                  return thread;
                })
            .clock(() -> System.nanoTime() + skewNanos.get())
            .probe(probe)
            .charge((owner, memory, bytes) -> charged.addAndGet(bytes))
            .build();
  }

  @AfterEach
  void nothingIsLeft() throws InterruptedException {
    producers.shutdownNow();
    assertThat(producers.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    io.close();
    await().until(() -> units.lent() == 0 && charged.get() == 0);
    for (Thread arm : arms) {
      arm.join(20_000);
      assertThat(arm.isAlive()).isFalse();
    }
  }

  private static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Writes from units and arrays in pieces of random size. */
  private CompletableFuture<Written> produce(WriteStream stream, byte[] content, Random random)
      throws IOException, InterruptedException {
    int at = 0;
    while (at < content.length) {
      int length = Math.min(content.length - at, 1 + random.nextInt(UNIT));
      if (random.nextInt(4) == 0) {
        stream.add(content, at, length);
      } else {
        CacheUnit unit = units.take();
        unit.put(0, content, at, length);
        stream.add(unit, 0, length, failed -> units.give(unit));
      }
      at += length;
    }
    return stream.finish();
  }

  private byte[] readBack(Path file, int length, IoClass ioClass) throws Exception {
    byte[] back = new byte[length];
    int at = 0;
    try (ReadStream stream =
        io.openRead(new FileSource(file), 0, length, ioClass, "reader", 3, units)) {
      while (at < length) {
        int count = stream.read(back, at, length - at);
        assertThat(count).isPositive();
        at += count;
      }
      assertThat(stream.read(back, 0, 1)).isEqualTo(-1);
    }
    return back;
  }

  @Test
  void eightProducersWriteAndReadBackAtTheSameTime() throws Exception {
    long seed = Long.getLong("mammoth.test.seed", System.nanoTime());
    System.out.println("-Dmammoth.test.seed=" + seed);
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < PRODUCERS; i++) {
      int producer = i;
      tasks.add(
          () -> {
            Random random = new Random(seed + producer);
            for (int round = 0; round < 4; round++) {
              byte[] content = bytes(random.nextLong(), random.nextInt(3 << 20));
              IoClass ioClass = IoClass.values()[random.nextInt(4)];
              Path file = (producer % 2 == 0 ? a : b).resolve("f" + producer + "." + round);
              WriteStream stream = io.openWrite(new FileTarget(file), ioClass, "p" + producer);
              Written written = produce(stream, content, random).get();
              assertThat(written.sums())
                  .hasValueSatisfying(sums -> FileSums.assertFits(sums, content));
              assertThat(readBack(file, content.length, ioClass)).isEqualTo(content);
            }
            return true;
          });
    }
    for (Future<Boolean> done : producers.invokeAll(tasks)) {
      assertThat(done.get()).isTrue();
    }
    assertThat(arms).as("one thread for each disk").hasSize(2);
    assertThat(charged).hasValue(0);
  }

  @Test
  void aSlowDiskHoldsUpItsProducersAtTheBoundAndNobodyElse() throws Exception {
    GatedTarget slow = new GatedTarget(a.resolve("slow"));
    WriteStream stream = io.openWrite(slow, IoClass.ACTIVE, "slow");
    byte[] content = bytes(1, 20 * UNIT);
    AtomicInteger taken = new AtomicInteger();
    Future<Written> producer =
        producers.submit(
            () -> {
              for (int i = 0; i < 20; i++) {
                CacheUnit unit = units.take();
                unit.put(0, content, i * UNIT, UNIT);
                stream.add(unit, 0, UNIT, failed -> units.give(unit));
                taken.incrementAndGet();
              }
              return stream.finish().get();
            });
    await().until(() -> taken.get() == 5 && units.lent() == 6);
    byte[] other = bytes(2, 10 * UNIT);
    WriteStream onB = io.openWrite(new FileTarget(b.resolve("quick")), IoClass.SORT, "quick");
    assertThat(produce(onB, other, new Random(3)).get(20, TimeUnit.SECONDS).bytes())
        .isEqualTo(10L * UNIT);
    assertThat(taken).as("the bound").hasValue(5);
    slow.gate.release();
    await().until(() -> taken.get() == 6);
    slow.gate.release(100);
    assertThat(producer.get().bytes()).isEqualTo(20L * UNIT);
    assertThat(Files.readAllBytes(a.resolve("slow"))).isEqualTo(content);
  }

  @Test
  void aFailingDiskWakesAllThatWaitForIt() throws Exception {
    probe.bad.put(a, "Input/output error");
    List<GatedTarget> targets = new ArrayList<>();
    List<Future<Written>> results = new ArrayList<>();
    for (int i = 0; i < PRODUCERS; i++) {
      GatedTarget target = new GatedTarget(a.resolve("f" + i));
      target.failure = new IOException("Input/output error");
      targets.add(target);
      WriteStream stream = io.openWrite(target, IoClass.RECEIVE, "p" + i);
      byte[] content = bytes(i, 10 * UNIT);
      results.add(
          producers.submit(
              () -> {
                for (int at = 0; at < content.length; at += UNIT) {
                  stream.add(content, at, UNIT);
                }
                return stream.finish().get();
              }));
    }
    await().until(() -> charged.get() == PRODUCERS * 6L * UNIT);
    targets.forEach(target -> target.gate.release(100));
    for (Future<Written> result : results) {
      assertThatThrownBy(() -> result.get(20, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasMessageContaining("Input/output error");
    }
    assertThat(io.healthyDirs()).containsExactly(b);
    await().until(() -> a.toFile().list().length == 0);
  }

  @Test
  void aFullDiskIsLeftOutAndTheNextFileGoesToTheOther() throws Exception {
    Path full = Path.of("/dev/full");
    assertThat(full).as("this test needs Linux").exists();
    Target target =
        new Target() {
          private FileChannel channel;

          @Override
          public Path path() {
            return a.resolve("f");
          }

          @Override
          public void open() throws IOException {
            channel = FileChannel.open(full, StandardOpenOption.WRITE);
          }

          @Override
          public void write(ByteBuffer bytes) throws IOException {
            channel.write(bytes);
          }

          @Override
          public void force() {}

          @Override
          public void close() throws IOException {
            channel.close();
          }

          @Override
          public void abort() throws IOException {
            channel.close();
          }
        };
    WriteStream stream = io.openWrite(target, IoClass.SORT, "x");
    byte[] content = bytes(1, 3 * UNIT);
    assertThatThrownBy(() -> produce(stream, content, new Random(1)).get())
        .hasStackTraceContaining("No space left on device")
        .hasStackTraceContaining("mammoth.io.full.free-mb");
    assertThat(io.snapshot().get(0).dirs().get(0).state()).isEqualTo("FULL");
    Path healthy = io.healthyDirs().get(0);
    assertThat(healthy).isEqualTo(b);
    WriteStream second = io.openWrite(new FileTarget(healthy.resolve("f")), IoClass.SORT, "x");
    assertThat(produce(second, content, new Random(1)).get().bytes()).isEqualTo(3L * UNIT);
  }

  @Test
  void aKilledProducerStopsWaitingAndItsUnitComesBack() throws Exception {
    GatedTarget stuck = new GatedTarget(a.resolve("stuck"));
    WriteStream stream = io.openWrite(stuck, IoClass.SEND, "killed");
    List<Integer> told = java.util.Collections.synchronizedList(new ArrayList<>());
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    Thread producer =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < 10; i++) {
                  int piece = i;
                  CacheUnit unit = units.take();
                  stream.add(
                      unit,
                      0,
                      UNIT,
                      failed -> {
                        units.give(unit);
                        told.add(piece);
                      });
                }
                end.complete(null);
              } catch (Throwable e) {
                end.complete(e);
              }
            });
    producer.start();
    await().until(() -> units.lent() == 6 && producer.getState() == Thread.State.TIMED_WAITING);
    producer.interrupt();
    assertThat(end.get(20, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    assertThat(told).as("the one that was not taken").containsExactly(5);
    assertThat(io.abortAll("killed")).isEqualTo(1);
    await().until(() -> units.lent() == 1);
    assertThat(stuck.arrived).as("the one the disk has").hasValue(1);
    stuck.gate.release(100);
    await().until(() -> told.size() == 6);
    await().until(() -> !Files.exists(a.resolve("stuck")));
  }

  @Test
  void whoWaitsForADiskThatHangsFindsOutByItself() throws Exception {
    GatedTarget stuck = new GatedTarget(a.resolve("stuck"));
    WriteStream stream = io.openWrite(stuck, IoClass.SEND, "p");
    byte[] content = bytes(1, 10 * UNIT);
    Future<Written> producer =
        producers.submit(
            () -> {
              for (int at = 0; at < content.length; at += UNIT) {
                stream.add(content, at, UNIT);
              }
              return stream.finish().get();
            });
    Files.write(a.resolve("r"), content);
    Future<byte[]> reader =
        producers.submit(() -> readBack(a.resolve("r"), content.length, IoClass.SEND));
    await().until(() -> stuck.arrived.get() == 1);
    await().until(() -> !stream.hasRoom(UNIT));
    skewNanos.addAndGet(TimeUnit.MINUTES.toNanos(6));
    assertThatThrownBy(() -> producer.get(20, TimeUnit.SECONDS))
        .hasMessageContaining("mammoth.io.stall.timeout-ms");
    try {
      assertThat(reader.get(20, TimeUnit.SECONDS)).isEqualTo(content);
    } catch (ExecutionException e) {
      assertThat(e).hasMessageContaining("mammoth.io.stall.timeout-ms");
    }
    assertThat(io.healthyDirs()).containsExactly(b);
    stuck.gate.release(100);
  }

  @Test
  void severalThreadsOfADiskKeepTheOrderWithinAFile() throws Exception {
    io.close();
    Configuration conf = new Configuration(false);
    conf.setInt(IoKeys.THREADS_PER_DISK.name(), 4);
    start(conf);
    ConcurrentHashMap<Integer, CompletableFuture<Written>> results = new ConcurrentHashMap<>();
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < PRODUCERS; i++) {
      int producer = i;
      WriteStream stream =
          io.openWrite(new FileTarget(a.resolve("f" + i)), IoClass.ACTIVE, "p" + i);
      tasks.add(
          () -> {
            byte[] content = bytes(producer, 30 * UNIT);
            results.put(producer, produce(stream, content, new Random(producer)));
            return true;
          });
    }
    producers.invokeAll(tasks);
    for (int i = 0; i < PRODUCERS; i++) {
      assertThat(results.get(i).get().bytes()).isEqualTo(30L * UNIT);
      assertThat(Files.readAllBytes(a.resolve("f" + i))).isEqualTo(bytes(i, 30 * UNIT));
    }
  }

  @Test
  void closingTheSchedulerReleasesEveryone() throws Exception {
    GatedTarget stuck = new GatedTarget(a.resolve("stuck"));
    WriteStream stream = io.openWrite(stuck, IoClass.SEND, "p");
    byte[] content = bytes(1, 10 * UNIT);
    Future<Boolean> producer =
        producers.submit(
            () -> {
              for (int at = 0; at < content.length; at += UNIT) {
                stream.add(content, at, UNIT);
              }
              return true;
            });
    await().until(() -> charged.get() == 6L * UNIT);
    io.close();
    assertThatThrownBy(() -> producer.get(20, TimeUnit.SECONDS))
        .hasMessageContaining("the I/O scheduler was closed");
    assertThatThrownBy(() -> stream.finish().get(20, TimeUnit.SECONDS))
        .hasMessageContaining("the I/O scheduler was closed");
    stuck.gate.release(100);
    await().until(() -> !Files.exists(a.resolve("stuck")));
  }

  @Test
  void theProbeOfARealFolderLeavesNothingBehind() throws IOException {
    FileDirProbe real = new FileDirProbe();
    real.tryFile(a);
    assertThat(a.toFile().list()).isEmpty();
    assertThat(real.usableBytes(a)).isPositive();
    assertThatThrownBy(() -> real.tryFile(a.resolve("missing"))).isInstanceOf(IOException.class);
    assertThat(DiskDetector.byFileStore().diskOf(a))
        .isEqualTo(DiskDetector.byFileStore().diskOf(b));
  }
}
