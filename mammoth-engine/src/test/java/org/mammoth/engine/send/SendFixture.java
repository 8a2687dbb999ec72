// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.ReduceSplit;
import org.mammoth.engine.io.DiskExecutors;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.IoSettings;
import org.mammoth.engine.io.Source;
import org.mammoth.engine.io.Target;
import org.mammoth.engine.io.WriteStream;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.MapMemory;
import org.mammoth.engine.memory.ReduceMemory;
import org.mammoth.engine.memory.SchedulerSettings;

/** A small node: a pool that finds leaks, and a disk that turns when the test says so. */
final class SendFixture implements AutoCloseable {

  static final int UNIT = 4096;
  private static final Path DIR = Path.of("/disks/a/local");

  final LeakCheckingPool pool;
  final Ledger ledger;
  final CacheScheduler scheduler;
  final IoScheduler io;
  final Queue<Runnable> turns = new ConcurrentLinkedQueue<>();

  SendFixture(int units) {
    pool = new LeakCheckingPool(BufferType.ARRAY, UNIT, units);
    ledger = new Ledger((long) UNIT * units);
    scheduler =
        new CacheScheduler(
            pool,
            ledger,
            new SchedulerSettings(0.9, 0.75, 1, ReduceSplit.EVEN, 64),
            System::nanoTime);
    Configuration conf = new Configuration(false);
    io =
        IoScheduler.builder(IoSettings.of(conf, UNIT), java.util.List.of())
            .executors(
                new DiskExecutors() {
                  @Override
                  public Executor forDisk(String disk, int threads) {
                    return turns::add;
                  }

                  @Override
                  public Executor forInput() {
                    return turns::add;
                  }

                  @Override
                  public void close() {}
                })
            .build();
  }

  MapMemory map(String attempt) {
    return map("job_1", attempt);
  }

  MapMemory map(String job, String attempt) {
    return scheduler.registerMap(new LeaseOwner("ann", job, attempt), 1);
  }

  ReduceMemory reduce(String attempt) {
    return scheduler.registerReduce(new LeaseOwner("ann", "job_1", attempt), 1);
  }

  WriteStream write(MemoryTarget target) throws IOException {
    return io.openWrite(target, IoClass.ACTIVE, "attempt_1");
  }

  /** Lets the disk do all it has to do. */
  void turnAll() {
    for (Runnable turn = turns.poll(); turn != null; turn = turns.poll()) {
      turn.run();
    }
  }

  /** Runs something that waits for the disk, while the disk turns. */
  <T> T whileTurning(Callable<T> work) throws Throwable {
    CompletableFuture<T> done =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return work.call();
              } catch (Exception e) {
                throw new CompletionException(e);
              }
            });
    while (!done.isDone()) {
      turnAll();
      Thread.onSpinWait();
    }
    turnAll();
    try {
      return done.join();
    } catch (CompletionException e) {
      throw e.getCause();
    }
  }

  long usedUnits() {
    assertThat(ledger.used()).isEqualTo((long) (pool.units() - pool.freeUnits()) * UNIT);
    return ledger.used() / UNIT;
  }

  @Override
  public void close() {
    turnAll();
    assertThat(usedUnits()).isZero();
    pool.close();
    io.close();
    turnAll();
  }

  /** A file in memory that fails at the call it is told to. */
  static final class MemoryTarget implements Target {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int failAt = Integer.MAX_VALUE;
    int aborts;
    boolean complete;
    private int calls;

    private void call() throws IOException {
      if (calls++ >= failAt) {
        throw new IOException("No space left on device");
      }
    }

    @Override
    public Path path() {
      return DIR.resolve("file.out");
    }

    @Override
    public void open() throws IOException {
      call();
    }

    @Override
    public void write(ByteBuffer piece) throws IOException {
      call();
      byte[] copy = new byte[piece.remaining()];
      piece.get(copy);
      bytes.writeBytes(copy);
    }

    @Override
    public void force() {}

    @Override
    public void close() throws IOException {
      call();
      complete = true;
    }

    @Override
    public void abort() {
      aborts++;
    }
  }

  /** An array as a file. */
  record MemorySource(byte[] bytes, boolean broken) implements Source {

    @Override
    public Path path() {
      return DIR.resolve("file.out");
    }

    @Override
    public int read(long position, ByteBuffer into) throws IOException {
      if (broken) {
        throw new IOException("Input/output error");
      }
      if (position >= bytes.length) {
        return -1;
      }
      int now = (int) Math.min(into.remaining(), bytes.length - position);
      into.put(bytes, (int) position, now);
      return now;
    }

    @Override
    public void close() {}
  }
}
