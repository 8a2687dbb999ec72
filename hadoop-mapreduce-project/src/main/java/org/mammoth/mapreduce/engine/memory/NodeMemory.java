// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.memory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.mammoth.engine.config.DataCacheKeys;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.config.IoKeys;
import org.mammoth.engine.config.MemoryKeys;
import org.mammoth.engine.config.ShuffleKeys;
import org.mammoth.engine.datacache.DataCache;
import org.mammoth.engine.datacache.DataCacheSettings;
import org.mammoth.engine.io.FileSource;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.IoSettings;
import org.mammoth.engine.io.LocalizedFiles;
import org.mammoth.engine.io.RangeReads;
import org.mammoth.engine.io.RangeSettings;
import org.mammoth.engine.memory.CachePool;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.ElementPool;
import org.mammoth.engine.memory.InputWindows;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.MemorySizing;
import org.mammoth.engine.memory.SchedulerSettings;
import org.mammoth.engine.send.Pages;
import org.mammoth.engine.send.ScheduledInput;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.mapreduce.disks.DataNodeDirs;
import org.mammoth.mapreduce.disks.LocalDirs;
import org.mammoth.mapreduce.disks.SpinningDirs;
import org.mammoth.mapreduce.engine.heap.HeapKeeper;
import org.mammoth.mapreduce.engine.heap.HeapPools;
import org.mammoth.mapreduce.engine.jobs.JobFolders;
import org.mammoth.mapreduce.localized.SsdDirs;
import org.mammoth.mapreduce.transfer.EngineShuffle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine's memory for intermediate data, and the final map outputs that lie in it. */
public final class NodeMemory {

  /** What the supervisor gave the engine of the node, in MiB. */
  public static final String SHARE_PROPERTY = "mammoth.engine.share-mb";

  /** What the supervisor divided of it: all, or what a control group leaves; in MiB. */
  public static final String DIVIDED_PROPERTY = "mammoth.engine.divided-mb";

  /** Queues of the I/O scheduler, windows of readers. */
  private static final long IO_BYTES = 64L << 20;

  /** A merge for other nodes has a few megabytes, which units of the pool would make too few of. */
  private static final int MERGE_UNIT = 64 << 10;

  private static final long MIB = 1L << 20;
  private static final Logger LOG = LoggerFactory.getLogger(NodeMemory.class);

  private final MemorySizing sizing;
  private final long leastUnits;
  private final CachePool pool;
  private final CacheScheduler scheduler;
  private final ElementPool elements;
  private final Pages tables;
  private final SendBuffer sendBuffer;
  private final JobFolders jobs = new JobFolders();
  private final HeapKeeper heap;

  private final IoScheduler io;
  private final RangeReads ranges;
  private final InputWindows inputWindows;
  private final IoLeases ioLeases;
  private final LocalizedFiles localized;

  /** Null where nothing is kept. */
  private final DataCache dataCache;

  /** Null where map output is not served. */
  private final EngineShuffle shuffle;

  private NodeMemory(Configuration conf, MemorySizing sizing) {
    this.sizing = sizing;
    Ledger ledger = new Ledger(sizing.ledgerBytes());
    int slots = mapSlots(conf, sizing.shareBytes() / MIB);
    leastUnits = MemoryKeys.GUARANTEED_UNITS.get(conf) * slots;
    elements = new ElementPool(ledger, sizing.elementBytes(), sizing.elementSlabs(), slots);
    pool = sizing.makePool(conf);
    scheduler = new CacheScheduler(pool, ledger, SchedulerSettings.of(conf), System::nanoTime);
    dataCache = DataCacheKeys.ENABLED.get(conf) ? openCache(conf, sizing) : null;
    ThreadGroup engineGroup = Thread.currentThread().getThreadGroup();
    heap =
        new HeapKeeper(
            new HeapPools(),
            sizing.loneTaskBytes(),
            sizing.heapBuffersBytes(),
            EngineKeys.HEAP_LIMIT.get(conf),
            Executors.newSingleThreadExecutor(
                work -> engineThread(engineGroup, "heap-keeper", work)),
            System::nanoTime);
    List<Path> disks = LocalDirs.of(conf).all();
    ioLeases = new IoLeases(ledger);
    io =
        IoScheduler.builder(IoSettings.of(conf, sizing.unitBytes()), disks)
            .threads(
                work -> {
                  Thread thread = new Thread(engineGroup, work, "disk");
                  thread.setDaemon(true);
                  return thread;
                })
            .charge(ioLeases)
            .spinning(SpinningDirs.told(conf))
            .inputDirs(IoKeys.INPUT_TURNS.get(conf) ? DataNodeDirs.of(conf) : List.of())
            .build();
    tables = new Pages(ShuffleKeys.TABLE_BYTES.get(conf), NodeMemory::tablesFile, ioLeases);
    sendBuffer = new SendBuffer(tables);
    ranges = io.openRanges(RangeSettings.of(conf), "other nodes");
    inputWindows = new InputWindows(sizing.bufferType(), sizing.unitBytes(), ledger);
    localized = SsdDirs.localized(conf, io);
    shuffle =
        EngineShuffle.open(
            conf,
            sendBuffer,
            this::openForOthers,
            ranges,
            new InputWindows(sizing.bufferType(), Math.min(MERGE_UNIT, sizing.unitBytes()), ledger),
            work -> engineThread(engineGroup, "shuffle", work));
  }

  private DataCache openCache(Configuration conf, MemorySizing sizing) {
    long most = Math.round(DataCacheKeys.FRACTION.get(conf) * sizing.poolUnits());
    LOG.info("What jobs write is kept for those that follow: {} units at most", most);
    return new DataCache(scheduler.spares(), most, DataCacheSettings.of(conf), System::nanoTime);
  }

  /** A thread that inherits nothing from the task that happens to be its first user. */
  private static Thread engineThread(ThreadGroup engineGroup, String name, Runnable work) {
    Thread thread = new Thread(engineGroup, work, name, 0, false);
    thread.setContextClassLoader(NodeMemory.class.getClassLoader());
    thread.setDaemon(true);
    return thread;
  }

  private static Path tablesFile() {
    return Path.of(
        System.getProperty("java.io.tmpdir"),
        "mammoth-tables-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
  }

  private InputStream openForOthers(String path, long from, long length) throws IOException {
    return new ScheduledInput(
        io.openRead(
            new FileSource(Path.of(path)), from, length, IoClass.SEND, "other nodes", 1, null));
  }

  /** Divides the memory of an engine whose share its supervisor gave on the command line. */
  public static NodeMemory open(Configuration conf) {
    long shareMb = Long.getLong(SHARE_PROPERTY, 0);
    MemorySizing sizing = size(conf, shareMb, Long.getLong(DIVIDED_PROPERTY, shareMb));
    LOG.info(sizing.explanation());
    return new NodeMemory(conf, sizing);
  }

  /** Has the JVM provide it, now and as it is used. */
  public PoolFiller filler() {
    return new PoolFiller(elements, pool, sizing);
  }

  /**
   * Divides an engine's share; the supervisor and the engine come to the same result.
   *
   * @param limitMb of the control group that the engine will be in
   * @throws IllegalArgumentException naming the keys, if the parts do not fit the share
   */
  public static MemorySizing size(Configuration conf, long shareMb, long limitMb) {
    long mostMb = Math.min(shareMb, limitMb);
    return MemorySizing.of(conf, shareMb * MIB, mostMb * MIB, mapSlots(conf, shareMb), IO_BYTES);
  }

  /** Maps for which an engine of that share is made. */
  public static int mapSlots(Configuration conf, long shareMb) {
    int map = conf.getInt(MRJobConfig.MAP_MEMORY_MB, MRJobConfig.DEFAULT_MAP_MEMORY_MB);
    long each = map > 0 ? map : MRJobConfig.DEFAULT_MAP_MEMORY_MB;
    return (int) Math.max(1, shareMb / each);
  }

  /** Lends a part of the cache pool, up to 1; never less than what running maps are guaranteed. */
  public void limitPool(double part) {
    long units = Math.max(leastUnits, Math.round(part * sizing.poolUnits()));
    long lent = Math.min(units, sizing.poolUnits());
    LOG.info(
        "The cache pool lends {} of {} units: {} of it is this user's part of the node",
        lent,
        sizing.poolUnits(),
        part);
    scheduler.limitTo(lent);
  }

  /** Keeps tasks to their part of the Java heap. */
  public HeapKeeper heap() {
    return heap;
  }

  MemorySizing sizing() {
    return sizing;
  }

  public CacheScheduler scheduler() {
    return scheduler;
  }

  public IoScheduler io() {
    return io;
  }

  /** Where input is read ahead. */
  InputWindows inputWindows() {
    return inputWindows;
  }

  /** Where localized data goes. */
  LocalizedFiles localized() {
    return localized;
  }

  /** The local directories that may be used now and are not lent by the SSD cache. */
  public List<Path> ordinaryDirs() {
    return io.healthyDirs().stream().filter(dir -> !localized.isOnSsd(dir)).toList();
  }

  /** Bytes in queues of disks that the ledger had no room for. */
  public long ioBesideBytes() {
    return ioLeases.beside();
  }

  public ElementPool elements() {
    return elements;
  }

  public SendBuffer sendBuffer() {
    return sendBuffer;
  }

  /** What jobs leave in memory for those that follow, or null. */
  public DataCache dataCache() {
    return dataCache;
  }

  /** Forgets files that are kept, by path; returns their bytes. */
  public long dropCached(String path) {
    return dataCache == null ? 0 : dataCache.drop(path);
  }

  /** The engine's part in the shuffle between nodes, or null. */
  public EngineShuffle shuffle() {
    return shuffle;
  }

  /** Where map output is served to other nodes; 0 if it is not. */
  public int shufflePort() {
    return shuffle == null ? 0 : shuffle.port();
  }

  public AttemptBuffers open(LeaseOwner owner, List<String> localDirs) {
    jobs.started(owner.job(), localDirs);
    return new AttemptBuffers(this, owner, localDirs);
  }

  /** What has to be looked after now and then; called about once a second. */
  public void tick() {
    io.tick();
    ranges.tick();
    localized.tick();
    heap.tick();
  }

  /** Frees what belongs to jobs whose folders the NodeManager has removed; asks the disks. */
  public void forgetEndedJobs() {
    jobs.ended().forEach(this::endJob);
  }

  /** A job is over on this node: frees what belongs to it. Any thread. */
  public void endJob(String job) {
    if (jobs.forget(job)) {
      LOG.info("{} has ended, its map outputs leave memory", job);
      sendBuffer.forget(job);
      scheduler.endJob(job);
      if (shuffle != null) {
        shuffle.jobEnded(job);
      }
    }
  }
}
