// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.metrics2.util.MBeans;
import org.mammoth.api.Beans;
import org.mammoth.api.timing.Lasting;
import org.mammoth.hdfs.replicas.CopyStream;
import org.mammoth.hdfs.replicas.ReadCache;
import org.mammoth.hdfs.replicas.ReaderName;
import org.mammoth.hdfs.replicas.ReaderName.Kind;
import org.mammoth.hdfs.replicas.ReplicaSource;
import org.mammoth.hdfs.replicas.Replicas;
import org.mammoth.hdfs.rpc.MasterAddresses;
import org.mammoth.hdfs.settings.Reconfiguration;
import org.mammoth.mpcache.config.MpCacheKeys;
import org.mammoth.mpcache.slave.BandwidthLimiter;
import org.mammoth.mpcache.slave.BlockKey;
import org.mammoth.mpcache.slave.BlockStore;
import org.mammoth.mpcache.slave.CacheMaster;
import org.mammoth.mpcache.slave.DirectoryLocks;
import org.mammoth.mpcache.slave.FillQueue;
import org.mammoth.mpcache.slave.LocalSsdFiles;
import org.mammoth.mpcache.slave.LocalizedSpace;
import org.mammoth.mpcache.slave.Pace;
import org.mammoth.mpcache.slave.SsdDirectory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mpCache slave of one DataNode (mpCache paper, Wang et al. 2016, §3.1): the core's Cache
 * Master and Dynamic Space Tuner over the DataNode's replicas, and a heartbeat to the master. It
 * lives as long as the data set; copies are served once they are found, which begins with the first
 * block pool. Those without a replica go when their own pool is known.
 *
 * <p>Safe for any thread.
 */
public final class Slave implements ReadCache {

  private static final Logger LOG = LoggerFactory.getLogger(Slave.class);
  private static final int MAX_ACCESSES = 100_000;
  private static final int RECENT_READS = 20_000;
  private static final long TRUST_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** How long a nameservice may be down, or off this DataNode, and find its copies. */
  private static final long POOL_PATIENCE_NANOS = TimeUnit.DAYS.toNanos(1);

  private final Replicas replicas;
  private final Descriptors descriptors;
  private final SlaveMetrics metrics = new SlaveMetrics();
  private final Pools pools = new Pools(System::nanoTime, POOL_PATIENCE_NANOS);
  private final RecentReads recent = new RecentReads(RECENT_READS);
  private final OpenReplicas open = new OpenReplicas(System::nanoTime);
  private final PageCache pages;
  private final TrustedCopies trusted;
  private final BandwidthLimiter limiter;
  private final SlaveSpace space;
  private final Deleters deleters;
  private final BlockStore store;
  private final DirectoryLocks locks = new DirectoryLocks();
  private final CacheMaster cache;
  private final ExecutorService fillers;
  private final FillQueue queue;
  private final ScheduledExecutorService beats;
  private final ScheduledExecutorService looks;
  private final Heartbeat heartbeat;
  private final SpaceServer rooms;
  private final long heartbeatMs;
  private final Reconfiguration reconfiguration =
      new Reconfiguration(MpCacheKeys.changeableIn(MpCacheKeys.DATA_NODE), this::reconfigure);
  private volatile boolean zeroCopy;
  private volatile boolean recovered;

  @GuardedBy("this")
  private boolean recovering;

  private ObjectName bean;

  private Slave(
      String name,
      Configuration conf,
      Replicas replicas,
      Descriptors descriptors,
      List<MasterLink> masters) {
    this.replicas = replicas;
    this.descriptors = descriptors;
    pages = new PageCache(replicas);
    List<SsdDirectory> directories = MpCacheKeys.DIRS.get(conf);
    int threads = MpCacheKeys.FILL_THREADS.get(conf).intValue();
    heartbeatMs = MpCacheKeys.HEARTBEAT_MS.get(conf);
    zeroCopy = MpCacheKeys.ZERO_COPY.get(conf);
    space = new SlaveSpace(conf, directories, this::makeRoom);
    deleters = new Deleters(directories, daemons("mpcache-delete"));
    store =
        new BlockStore(
            directories,
            new LocalSsdFiles(),
            space::inputCapacity,
            new Departures(this::leaving, this::left, this::lost),
            deleters::of);
    space.store(store);
    fillers = Executors.newFixedThreadPool(threads, daemons("mpcache-fill"));
    queue = new FillQueue(fillers, threads, MpCacheKeys.FILL_QUEUE.get(conf).intValue());
    limiter = new BandwidthLimiter(Pace.ofSystem(), MpCacheKeys.FILL_BANDWIDTH_MB.get(conf) << 20);
    trusted = new TrustedCopies(store, replicas, this::distrust, TRUST_NANOS, System::nanoTime);
    cache =
        new CacheMaster(
            name,
            System.currentTimeMillis(),
            space::report,
            key -> new ReplicaSource(key, replicas),
            queue,
            limiter,
            new Departures(key -> {}, key -> {}, (key, why) -> {}),
            MAX_ACCESSES);
    cache.waitForClients(this::disturbs);
    cache.tellOfNewCopies(key -> descriptors.revoke(key.pool(), key.blockId()));
    heartbeat = new Heartbeat(name, cache, masters);
    beats = Executors.newSingleThreadScheduledExecutor(daemons("mpcache-heartbeat"));
    looks = Executors.newSingleThreadScheduledExecutor(daemons("mpcache-look"));
    rooms =
        new SpaceServer(
            new LocalizedSpace(space.tuner(), directories, new LocalSsdFiles()),
            daemons("mpcache-room"));
  }

  private static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Makes the slave of a DataNode.
   *
   * @throws IllegalArgumentException if its configuration is wrong
   */
  public static Slave start(DataNode datanode, Configuration conf, Replicas replicas) {
    String name = datanode.getDisplayName();
    List<MasterLink> masters =
        MasterAddresses.of(conf).stream().map(address -> new MasterLink(conf, address)).toList();
    Slave slave =
        new Slave(name, conf, replicas, Descriptors.of(datanode::getShortCircuitRegistry), masters);
    slave.bean = MBeans.register("DataNode", Beans.CACHE_SLAVE, slave.status());
    datanode.setReconfigurationUtil(slave.reconfiguration);
    LOG.info("The SSD cache of {} has masters {}", name, masters);
    return slave;
  }

  /** What there is to show. */
  public SlaveMXBean status() {
    return new SlaveBean(metrics, store, space, queue, cache, limiter, reconfiguration::last);
  }

  private void reconfigure(Configuration next) {
    long megabytes = MpCacheKeys.FILL_BANDWIDTH_MB.get(next);
    boolean kernelSends = MpCacheKeys.ZERO_COPY.get(next);
    space.reconfigure(next);
    zeroCopy = kernelSends;
    limiter.bytesPerSecond(megabytes << 20);
  }

  @Override
  public void poolAdded(String pool) {
    pools.added(pool);
    boolean first;
    synchronized (this) {
      first = !recovering;
      recovering = true;
    }
    Runnable work = first ? this::recover : this::sweep;
    try {
      beats.execute(() -> logged(work));
    } catch (RejectedExecutionException e) {
      LOG.debug("The DataNode is ending; its SSD cache does not begin");
    }
  }

  @Override
  public void poolLeaves(String pool) {
    pools.left(pool);
  }

  /** What an executor would keep to itself. */
  private static void logged(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.error("The SSD cache has not looked through its directories; copies may be missing", e);
    }
  }

  /** Whether a copy has a replica, or that cannot be told yet. */
  private boolean wanted(BlockKey key) {
    // Asked about its pool twice: one that leaves says so before its replicas are unknown.
    return !pools.isSettled(key.pool())
        || replicas.finalized(key.pool(), key.blockId()).equals(Optional.of(key))
        || !pools.isSettled(key.pool());
  }

  /** Drops copies without a replica. */
  private void sweep() {
    if (recovered) {
      store.keys().stream().filter(key -> !wanted(key)).forEach(cache::drop);
    }
  }

  private void recover() {
    locks.take(space.directories());
    List<BlockKey> found = store.recover(this::wanted);
    cache.start(store, found);
    recovered = true;
    LOG.info("The SSD cache has found {} copies", found.size());
    // Those of replicas that were deleted while it looked.
    sweep();
    looks.scheduleWithFixedDelay(
        new Lasting("A look for SSDs that hang", store::look), 1, 1, TimeUnit.SECONDS);
    beats.scheduleWithFixedDelay(
        new Lasting("A heartbeat of the SSD cache", this::beat),
        0,
        heartbeatMs,
        TimeUnit.MILLISECONDS);
    beats.scheduleWithFixedDelay(
        new Lasting("A look for copies without replicas", this::sweep), 1, 1, TimeUnit.HOURS);
    rooms.listen(
        space.directories().stream()
            .filter(SsdDirectory::healthy)
            .map(SsdDirectory::path)
            .toList());
  }

  private void beat() {
    space.look();
    recent.clear();
    heartbeat.beat();
    cache.tick();
    open.forgetOld();
  }

  @Override
  public boolean serves(Thread reader) {
    return recovered && ReaderName.of(reader.getName()).kind() != Kind.NONE;
  }

  /**
   * Whether a fill would take a disk away from clients of this DataNode: one that is used at two
   * places goes back and forth between them. What they have read is in the page cache and costs the
   * disk nothing. Replicas nobody has used are not asked about: opening their files costs a seek.
   */
  private boolean disturbs(BlockKey key) {
    return open.any() && !(open.remembers(key.pool(), key.blockId()) && pages.holds(key));
  }

  @Override
  public void writing(String pool, long blockId) {
    open.begin(pool, blockId, Thread.currentThread());
  }

  @Override
  public Optional<Served> read(BlockKey key, long offset, boolean told) {
    ReaderName reader = ReaderName.of(Thread.currentThread().getName());
    Optional<Served> served =
        reader.kind() == Kind.DESCRIPTOR
            ? descriptor(key, offset, told)
            : stream(key, offset, reader);
    if (served.isEmpty()) {
      open.begin(key.pool(), key.blockId(), Thread.currentThread());
    }
    return served;
  }

  private Optional<Served> stream(BlockKey key, long offset, ReaderName reader) {
    boolean counts = recent.first(key.blockId(), reader.job());
    Optional<FileInputStream> copy = cache.read(key, offset, reader.job(), counts);
    if (copy.isPresent()) {
      copy = checked(key, copy.get());
    }
    metrics.read(key.length(), copy.isPresent());
    return copy.map(data -> new Served(data, null));
  }

  private Optional<Served> descriptor(BlockKey key, long offset, boolean told) {
    String job = descriptors.job(key);
    boolean may = descriptors.revocable(key, told) && trusted.check(key);
    if (!may && store.holds(key)) {
      // The reader is served from the replica, or from what that becomes if it is being changed.
      metrics.read(key.length(), false);
      return Optional.empty();
    }
    boolean counts = recent.first(key.blockId(), job);
    Optional<Served> served =
        cache.read(key, offset, job, counts).flatMap(copy -> with(key, copy, may));
    metrics.read(key.length(), served.isPresent());
    return served;
  }

  private Optional<Served> with(BlockKey key, FileInputStream copy, boolean may) {
    // A copy that has come since it was looked for is left to the next reader.
    Optional<FileInputStream> sums = may ? trusted.checksums(key) : Optional.empty();
    if (sums.isEmpty()) {
      IOUtils.closeStream(copy);
    }
    return sums.map(file -> new Served(copy, file));
  }

  private Optional<FileInputStream> checked(BlockKey key, FileInputStream copy) {
    try {
      return CopyStream.open(
          key, copy, store.reader(key), replicas, metrics::served, () -> distrust(key), zeroCopy);
    } catch (IOException e) {
      LOG.debug("Block {} is read from its replica", key, e);
      return Optional.empty();
    }
  }

  private void distrust(BlockKey key) {
    LOG.warn("The cached copy of {} differs from its replica's checksums and is dropped", key);
    if (store.holds(key)) {
      metrics.hasLeft(SlaveMetrics.Reason.CORRUPT);
      cache.drop(key);
    }
  }

  @Override
  public void changed(String pool, long blockId) {
    if (recovered) {
      store
          .held(pool, blockId)
          .ifPresent(
              key -> {
                metrics.hasLeft(SlaveMetrics.Reason.REPLICA_CHANGED);
                cache.drop(key);
              });
      // Also without a copy now: the descriptor of one that was evicted may still be out there.
      descriptors.revoke(pool, blockId);
    }
  }

  private void makeRoom(long bytes) {
    if (!heartbeat.makeRoom(bytes)) {
      space.dropAny(bytes, cache);
    }
    try {
      store.settle();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void leaving(BlockKey key) {
    descriptors.revoke(key.pool(), key.blockId());
    metrics.hasLeft(SlaveMetrics.Reason.ANY);
    cache.leaving(key);
  }

  private void left(BlockKey key) {
    trusted.forget(key);
  }

  private void lost(BlockKey key, String why) {
    LOG.info("The cached copy of {} is gone: {}", key, why);
    metrics.hasLeft(
        why.contains("checksum") ? SlaveMetrics.Reason.CORRUPT : SlaveMetrics.Reason.LOST);
    cache.lost(key, why);
  }

  @Override
  public void close() {
    rooms.close();
    beats.shutdownNow();
    queue.close();
    fillers.shutdownNow();
    looks.shutdownNow();
    heartbeat.close();
    if (bean != null) {
      MBeans.unregister(bean);
    }
    deleters.close();
    locks.close();
  }
}
