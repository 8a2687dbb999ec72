// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.zip.CRC32;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.mapreduce.CryptoUtils;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.io.BlockSums;
import org.mammoth.engine.io.DiskExecutors;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.IoSettings;
import org.mammoth.engine.io.RangeReads;
import org.mammoth.engine.io.RangeSettings;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.InputWindows;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.MapMemory;
import org.mammoth.engine.memory.SchedulerSettings;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.mapreduce.disks.LocalDirs;
import org.mammoth.mapreduce.nodemanager.ShuffleService;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.transfer.EngineShuffle;
import org.mammoth.mapreduce.transfer.OutputFiles;

/** A node: its NodeManager's shuffle service and, if it has one, an engine with maps' output. */
final class TestNode implements AutoCloseable {

  static final String USER = "ann";
  static final ApplicationId APPLICATION = ApplicationId.newInstance(7, 1);
  static final String JOB = "job_7_0001";
  static final byte[] SECRET = "secret".getBytes(java.nio.charset.StandardCharsets.UTF_8);
  static final int PARTITIONS = 3;

  private static final int UNIT = 4 << 10;
  private static final int UNITS = 512;

  final JobConf job;
  final Path localDir;
  final Path application;
  final ShuffleService service;
  final SendBuffer sendBuffer = new SendBuffer();
  private final Configuration nodeConf;
  private final ExecutorService turns = Executors.newCachedThreadPool(TestNode::thread);
  private final IoScheduler io;
  private final LeakCheckingPool pool = new LeakCheckingPool(BufferType.ARRAY, UNIT, UNITS);
  private final CacheScheduler memory =
      new CacheScheduler(
          pool,
          new Ledger((long) UNIT * UNITS),
          SchedulerSettings.of(new Configuration(false)),
          System::nanoTime);
  private final MapMemory map =
      memory.registerMap(new LeaseOwner(USER, JOB, "attempt_7_0001_m_000000_0"), 1);
  private final InputWindows windows =
      new InputWindows(BufferType.ARRAY, UNIT, new Ledger((long) UNIT * UNITS));
  private EngineHome home;
  private EngineShuffle engine;
  private final CountDownLatch never = new CountDownLatch(1);
  private volatile boolean hangs;

  TestNode(Path folder, JobConf job, boolean mammoth) throws Exception {
    this(folder, job, mammoth, conf());
  }

  /** A node of a configuration of its own. */
  TestNode(Path folder, JobConf job, boolean mammoth, Configuration conf) throws Exception {
    this.job = job;
    nodeConf = conf;
    localDir = Files.createDirectories(folder.resolve("local"));
    application =
        Files.createDirectories(localDir.resolve("usercache/ann/appcache/" + APPLICATION));
    nodeConf.set("yarn.nodemanager.local-dirs", localDir.toString());
    io = disk();
    nodeConf.setInt("mapreduce.shuffle.port", freePair());
    service = new ShuffleService(nodeConf, mammoth);
    service.begin(APPLICATION, USER, SECRET);
  }

  /** A free port with a free one after it, below those that the system gives to clients. */
  private static int freePair() {
    Random random = new Random();
    while (true) {
      int port = 20_000 + 2 * random.nextInt(5_000);
      try (ServerSocket first = new ServerSocket(port);
          ServerSocket second = new ServerSocket(port + 1)) {
        return first.getLocalPort();
      } catch (IOException e) {
        // taken; there are others
      }
    }
  }

  /** What engines and NodeManagers of the tests have in common. */
  static Configuration conf() {
    Configuration conf = new Configuration();
    conf.setInt("mammoth.shuffle.port", 0);
    conf.setInt("mammoth.shuffle.chunk-bytes", 2048);
    conf.setInt("mammoth.shuffle.fetch.window-bytes", 8192);
    conf.setInt("mammoth.shuffle.reconnect.min-ms", 10);
    conf.setInt("mammoth.shuffle.reconnect.max-ms", 50);
    return conf;
  }

  static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "test-shuffle");
    thread.setDaemon(true);
    return thread;
  }

  static InputStream open(String path, long from, long length) throws IOException {
    InputStream in = Files.newInputStream(Path.of(path));
    in.skipNBytes(from);
    return in;
  }

  /** Whatever the engine reads from its disk now, it waits for. */
  void hang() {
    hangs = true;
  }

  /** Takes the disk's turns, as long as it does not hang. */
  private void turn(Runnable turn) {
    try {
      if (hangs) {
        never.await();
      }
      turn.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private IoScheduler disk() {
    return IoScheduler.builder(IoSettings.of(nodeConf, UNIT), List.of(localDir))
        .executors(
            new DiskExecutors() {
              @Override
              public Executor forDisk(String disk, int threads) {
                return work -> turns.execute(() -> turn(work));
              }

              @Override
              public Executor forInput() {
                return turns;
              }

              @Override
              public void close() {
                turns.shutdownNow();
              }
            })
        .build();
  }

  /** Starts an engine and lets it be found. */
  EngineShuffle startEngine() throws IOException {
    startEngineWithoutTasks();
    startTasks();
    return engine;
  }

  /** Starts an engine that does not know the job, and lets it be found. */
  void startEngineWithoutTasks() throws IOException {
    RangeReads ranges = io.openRanges(RangeSettings.of(nodeConf), "other nodes");
    engine =
        EngineShuffle.open(nodeConf, sendBuffer, TestNode::open, ranges, windows, TestNode::thread);
    beFoundAt(engine.port());
  }

  /** Where its engine serves. */
  int enginePort() {
    return engine.port();
  }

  /** Engines that start from now on merge nothing for other nodes. */
  void mergeNothing() {
    nodeConf.setInt("mammoth.shuffle.node.buffer-bytes", 0);
  }

  /** The engine gets to know the job. */
  void startTasks() {
    engine.jobs().started(JOB, SECRET, List.of(application.toString()));
  }

  /** Has the node answer that its engine serves at {@code port}. */
  void beFoundAt(int port) throws IOException {
    Configuration where = new Configuration(false);
    where.set(YarnConfiguration.NM_LOCAL_DIRS, localDir.toString());
    Path homes = LocalDirs.of(where).homes().get(0);
    Files.createDirectories(homes);
    if (home == null) {
      home = EngineHome.create(homes, "engine-1", USER);
      Files.createFile(home.settings());
    }
    home.publish(new EngineHome.Address(ProcessHandle.current().pid(), 1, port));
  }

  /** The engine's process has ended, and the NodeManager has not noticed yet. */
  void killEngine() {
    engine.close();
    sendBuffer.forget(JOB);
  }

  /** The NodeManager has noticed. */
  void forgetEngine() throws IOException {
    home.delete();
    home = null;
  }

  String url() {
    return (nodeConf.getBoolean("mapreduce.shuffle.ssl.enabled", false) ? "https" : "http")
        + "://127.0.0.1:"
        + service.port();
  }

  /** Writes an attempt's output as a stock map does. */
  MapOutput write(String attempt, int records, int seed) throws IOException {
    return write(
        attempt,
        records,
        (partition, i) -> (seed + " key " + partition + " " + i).getBytes(),
        i -> new byte[i % 50]);
  }

  /** As the other, of records that are in the order of their keys. */
  MapOutput write(
      String attempt,
      int records,
      BiFunction<Integer, Integer, byte[]> key,
      IntFunction<byte[]> value)
      throws IOException {
    LocalFileSystem local = FileSystem.getLocal(job);
    Path folder = Files.createDirectories(application.resolve("output").resolve(attempt));
    SpillRecord index = new SpillRecord(PARTITIONS);
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(folder + "/file.out");
    try (FSDataOutputStream out = local.getRaw().create(file)) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        long start = out.getPos();
        FSDataOutputStream encrypted = CryptoUtils.wrapIfNecessary(job, out, false);
        IFile.Writer<BytesWritable, BytesWritable> writer =
            new IFile.Writer<>(
                job,
                encrypted,
                BytesWritable.class,
                BytesWritable.class,
                job.getCompressMapOutput()
                    ? ReflectionUtils.newInstance(
                        job.getMapOutputCompressorClass(
                            org.apache.hadoop.io.compress.DefaultCodec.class),
                        job)
                    : null,
                null);
        for (int i = 0; i < records; i++) {
          writer.append(
              new BytesWritable(key.apply(partition, i)), new BytesWritable(value.apply(i)));
        }
        writer.close();
        if (encrypted != out) {
          encrypted.close();
        }
        int padding = CryptoUtils.cryptoPadding(job);
        index.putIndex(
            new IndexRecord(
                start, writer.getRawLength() + padding, writer.getCompressedLength() + padding),
            partition);
      }
    }
    index.writeToFile(new org.apache.hadoop.fs.Path(folder + "/file.out.index"), job);
    return OutputFiles.find(JOB, attempt, List.of(application.toString()), job);
  }

  /** As {@link #write}, and the engine holds it in memory and offers it. */
  MapOutput finish(String attempt, int records, int seed) throws IOException {
    return finish(attempt, records, seed, bytes -> null);
  }

  /** The same with the checksums of its file that an engine takes as it writes. */
  MapOutput finishSummed(String attempt, int records, int seed) throws IOException {
    return finish(attempt, records, seed, TestNode::sums);
  }

  private static BlockSums sums(byte[] file) {
    int[] sums = new int[(file.length + BlockSums.BLOCK_BYTES - 1) / BlockSums.BLOCK_BYTES];
    for (int i = 0; i < sums.length; i++) {
      int from = i * BlockSums.BLOCK_BYTES;
      CRC32 sum = new CRC32();
      sum.update(file, from, Math.min(BlockSums.BLOCK_BYTES, file.length - from));
      sums[i] = (int) sum.getValue();
    }
    return BlockSums.of(sums, file.length);
  }

  private MapOutput finish(String attempt, int records, int seed, Function<byte[], BlockSums> sums)
      throws IOException {
    MapOutput onDisk = write(attempt, records, seed);
    byte[] bytes = Files.readAllBytes(Path.of(onDisk.file()));
    CacheFile held = new CacheFile(map.send());
    if (!held.tryAppend(bytes, 0, bytes.length)) {
      throw new IllegalStateException("the node's pool is too small for the test");
    }
    held.finish();
    MapOutput output =
        new MapOutput(JOB, attempt, onDisk.file(), onDisk.index(), held, sums.apply(bytes));
    sendBuffer.publish(output);
    engine.published(output);
    return output;
  }

  /** Units of the node that are in use. */
  int usedUnits() {
    return pool.units() - pool.freeUnits();
  }

  @Override
  public void close() throws Exception {
    if (engine != null) {
      engine.close();
    }
    service.close();
    io.close();
    sendBuffer.forget(JOB);
    map.close();
    memory.endJob(JOB);
    pool.close();
  }
}
