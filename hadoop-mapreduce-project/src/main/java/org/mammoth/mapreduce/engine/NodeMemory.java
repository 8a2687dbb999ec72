package org.mammoth.mapreduce.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.IoSettings;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.ElementPool;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.MemorySizing;
import org.mammoth.engine.memory.SchedulerSettings;
import org.mammoth.engine.send.SendBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine's memory for intermediate data, and the final map outputs that lie in it. */
public final class NodeMemory {

  /** What the supervisor gave the engine of the node, in MiB. */
  public static final String SHARE_PROPERTY = "mammoth.engine.share-mb";

  /** Queues of the I/O scheduler, windows of readers. */
  private static final long IO_BYTES = 64L << 20;

  private static final long MIB = 1L << 20;
  private static final Logger LOG = LoggerFactory.getLogger(NodeMemory.class);

  private final MemorySizing sizing;
  private final CacheScheduler scheduler;
  private final ElementPool elements;
  private final SendBuffer sendBuffer = new SendBuffer();

  private final IoScheduler io;
  private final IoLeases ioLeases;

  private NodeMemory(Configuration conf, MemorySizing sizing) {
    this.sizing = sizing;
    Ledger ledger = new Ledger(sizing.ledgerBytes());
    int slots = mapSlots(conf, sizing.shareBytes() / MIB);
    elements = new ElementPool(ledger, sizing.elementBytes(), sizing.elementSlabs(), slots);
    scheduler =
        new CacheScheduler(
            sizing.makePool(conf), ledger, SchedulerSettings.of(conf), System::nanoTime);
    ThreadGroup engineGroup = Thread.currentThread().getThreadGroup();
    List<Path> disks = new ArrayList<>();
    for (String dir : conf.getTrimmedStrings(YarnConfiguration.NM_LOCAL_DIRS)) {
      disks.add(Path.of(dir));
    }
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
            .build();
  }

  /** Allocates the memory of an engine whose share its supervisor gave on the command line. */
  static NodeMemory allocate(Configuration conf) throws IOException {
    MemorySizing sizing = size(conf, Long.getLong(SHARE_PROPERTY, 0));
    LOG.info(sizing.explanation());
    return new NodeMemory(conf, sizing);
  }

  /**
   * Divides an engine's share; the supervisor and the engine come to the same result.
   *
   * @throws IllegalArgumentException naming the keys, if the parts do not fit the share
   */
  public static MemorySizing size(Configuration conf, long shareMb) throws IOException {
    return MemorySizing.of(conf, shareMb * MIB, mapSlots(conf, shareMb), IO_BYTES, Path.of("/"));
  }

  private static int mapSlots(Configuration conf, long shareMb) {
    int map = conf.getInt(MRJobConfig.MAP_MEMORY_MB, MRJobConfig.DEFAULT_MAP_MEMORY_MB);
    long each = map > 0 ? map : MRJobConfig.DEFAULT_MAP_MEMORY_MB;
    return (int) Math.max(1, shareMb / each);
  }

  MemorySizing sizing() {
    return sizing;
  }

  CacheScheduler scheduler() {
    return scheduler;
  }

  IoScheduler io() {
    return io;
  }

  /** Bytes in queues of disks that the ledger had no room for. */
  long ioBesideBytes() {
    return ioLeases.beside();
  }

  ElementPool elements() {
    return elements;
  }

  SendBuffer sendBuffer() {
    return sendBuffer;
  }

  AttemptBuffers open(LeaseOwner owner, List<String> localDirs) {
    return new AttemptBuffers(this, owner, localDirs);
  }

  /** What has to be looked after now and then; called about once a second. */
  void tick() {
    io.tick();
    forgetEndedJobs();
  }

  /** Frees what belongs to jobs whose folders the NodeManager has removed. */
  private void forgetEndedJobs() {
    for (String job : sendBuffer.forgetIf(file -> !Files.exists(Path.of(file)))) {
      LOG.info("{} has ended, its map outputs leave memory", job);
      scheduler.endJob(job);
    }
  }
}
