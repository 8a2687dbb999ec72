// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upstream;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.IoKeys;
import org.mammoth.engine.config.ReduceSplit;
import org.mammoth.engine.datacache.DataCache;
import org.mammoth.engine.datacache.DataCacheSettings;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.IoSettings;
import org.mammoth.engine.memory.BufferKind;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.InputWindows;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.SchedulerSettings;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.mapreduce.buffers.AttemptFiles;
import org.mammoth.mapreduce.buffers.InputReads;
import org.mammoth.mapreduce.buffers.MapBuffers;
import org.mammoth.mapreduce.buffers.OwnCounters;
import org.mammoth.mapreduce.buffers.ReduceBuffers;
import org.mammoth.mapreduce.buffers.TaskBuffers;
import org.mammoth.mapreduce.buffers.TaskCache;
import org.mammoth.api.status.DiskUse;
import org.mammoth.mapreduce.transfer.EngineShuffle;

/**
 * What a task's HDFS client uses of its engine: reading ahead, in pieces so small that files of a
 * few kilobytes have several, and a data cache. The tests are no map and no reduce.
 */
final class ClientBuffers implements TaskBuffers {

  private static final int UNIT = 2 << 10;
  private static final int CACHE_UNITS = 32 << 10;
  private static final int BURST_UNITS = 2;
  private static final int HEAD_BYTES = 1 << 10;
  private static final int WINDOWS = 64;

  private final IoScheduler io;
  private final InputReads input;
  private final TaskCache cache;

  ClientBuffers(Path disk) throws IOException {
    Configuration conf = new Configuration(false);
    conf.setInt(IoKeys.BURST_UNITS.name(), BURST_UNITS);
    io =
        IoScheduler.builder(IoSettings.of(conf, UNIT), List.of(disk))
            .spinning(dir -> true)
            .inputDirs(List.of(disk))
            .threads(
                work -> {
                  Thread thread = new Thread(work, "disk");
                  thread.setDaemon(true);
                  return thread;
                })
            .build();
    InputWindows windows =
        new InputWindows(
            BufferType.DIRECT, UNIT, new Ledger((long) WINDOWS * 2 * BURST_UNITS * UNIT));
    input = new InputReads(io, windows, "tests", HEAD_BYTES);
    CacheScheduler scheduler =
        new CacheScheduler(
            new LeakCheckingPool(BufferType.DIRECT, UNIT, CACHE_UNITS),
            new Ledger((long) UNIT * CACHE_UNITS),
            new SchedulerSettings(0.9, 0.75, 1, ReduceSplit.EVEN, 64),
            System::nanoTime);
    DataCacheSettings all = new DataCacheSettings(1L << 30, List.of("/"), 1_000_000_000L);
    DataCache data = new DataCache(scheduler.spares(), CACHE_UNITS, all, System::nanoTime);
    cache = new TaskCache(data, "job");
  }

  /** Bytes of files that came from the data cache. */
  long keptBytes() {
    return cache.bytesRead();
  }

  /** Bytes of files that were read ahead. */
  long aheadBytes() {
    return io.snapshot().stream()
        .flatMap(each -> each.lanes().stream())
        .filter(lane -> lane.ioClass().equals("ACTIVE") && lane.direction().equals("READ"))
        .mapToLong(DiskUse.Lane::totalBytes)
        .sum();
  }

  private static IllegalStateException neither() {
    return new IllegalStateException("the tests are no map and no reduce");
  }

  @Override
  public MapBuffers openMap(double weight) {
    throw neither();
  }

  @Override
  public ReduceBuffers openReduce(double weight) {
    throw neither();
  }

  @Override
  public void publish(MapOutput output) {
    throw neither();
  }

  @Override
  public void revocable(BufferKind kind, LongSupplier bytes, LongUnaryOperator revoke) {
    throw neither();
  }

  @Override
  public AttemptFiles files() {
    throw neither();
  }

  @Override
  public InputReads input() {
    return input;
  }

  @Override
  public TaskCache dataCache() {
    return cache;
  }

  @Override
  public SendBuffer sendBuffer() {
    throw neither();
  }

  @Override
  public EngineShuffle shuffle() {
    throw neither();
  }

  @Override
  public void onEnd(Runnable action) {
    throw neither();
  }

  @Override
  public OwnCounters counters() {
    throw neither();
  }

  @Override
  public List<String> localDirs() {
    throw neither();
  }
}
