// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.FileInputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.mammoth.mpcache.slave.MasterReply.Evict;
import org.mammoth.mpcache.slave.MasterReply.Fill;
import org.mammoth.mpcache.space.SpaceReport;

/**
 * The slave's Cache Master (mpCache paper, Wang et al. 2016, §3.1): serves hits, notes every read
 * for the master, fills and evicts what the master says. The reading thread does a look-up and an
 * open, nothing else.
 *
 * <p>Safe for any thread.
 */
public final class CacheMaster implements StoreListener {

  /** Heartbeats, of a second as a rule, that a fill waits at most for the clients it disturbs. */
  static final int LONGEST_WAIT = 120;

  private final String slave;
  private final long incarnation;
  private final Supplier<SpaceReport> space;
  private final Function<BlockKey, FillSource> sources;
  private final FillQueue queue;
  private final BandwidthLimiter limiter;
  private final StoreListener readers;
  private final int maxAccesses;
  private volatile BlockStore store;

  @GuardedBy("this")
  private final Deque<AccessEvent> accesses = new ArrayDeque<>();

  @GuardedBy("this")
  private final Deque<BlockKey> gone = new ArrayDeque<>();

  /** Fills ordered and not ended, and for how many heartbeats each has waited for clients. */
  @GuardedBy("this")
  private final Map<BlockKey, Integer> toFill = new HashMap<>();

  @GuardedBy("this")
  private final Set<BlockKey> deferred = new LinkedHashSet<>();

  /** Found at the start and not verified since. */
  @GuardedBy("this")
  private final Deque<BlockKey> unverified = new ArrayDeque<>();

  private volatile Predicate<BlockKey> disturbs = key -> false;
  private volatile Consumer<BlockKey> newCopies = key -> {};

  @GuardedBy("this")
  private long dropped;

  @GuardedBy("this")
  private long epoch = Long.MIN_VALUE;

  @GuardedBy("this")
  private boolean inventoryWanted;

  /**
   * @param slave name of this slave
   * @param incarnation differs from that before each restart, such as the time of the start
   * @param space its allocation now
   * @param sources finds the original replica of a block
   * @param queue where fills run
   * @param limiter how fast
   * @param readers hears of copies that leave, besides this
   * @param maxAccesses reads kept between two reports, at least 1; more are dropped
   */
  public CacheMaster(
      String slave,
      long incarnation,
      Supplier<SpaceReport> space,
      Function<BlockKey, FillSource> sources,
      FillQueue queue,
      BandwidthLimiter limiter,
      StoreListener readers,
      int maxAccesses) {
    this.slave = slave;
    this.incarnation = incarnation;
    this.space = space;
    this.sources = sources;
    this.queue = queue;
    this.limiter = limiter;
    this.readers = readers;
    this.maxAccesses = maxAccesses;
  }

  /**
   * Begins with a recovered store; call once, before anything else.
   *
   * @param found what {@link BlockStore#recover} found; each is verified when there is nothing to
   *     fill
   */
  public void start(BlockStore blocks, List<BlockKey> found) {
    store = blocks;
    synchronized (this) {
      unverified.addAll(found);
    }
  }

  /** Goes on with the copies that were found at the start, for as long as no fill waits. */
  private void verifySome() {
    try {
      for (BlockKey key = nextUnverified(); key != null; key = nextUnverified()) {
        boolean held = !store.verify(key, limiter) && store.holds(key);
        if (held) {
          // It cannot be read now, as without descriptors; with the next heartbeat perhaps.
          verifyLater(key);
        }
        if (held || queue.waiting() > 0) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized BlockKey nextUnverified() {
    return unverified.pollFirst();
  }

  private synchronized void verifyLater(BlockKey key) {
    unverified.add(key);
  }

  private synchronized boolean anyUnverified() {
    return !unverified.isEmpty();
  }

  /**
   * Has fills wait while they would disturb clients. After {@link #LONGEST_WAIT} heartbeats a fill
   * runs all the same.
   *
   * @param test whether a fill of the block would take its disk away from others; called from any
   *     thread, with each heartbeat for every fill that waits
   */
  public void waitForClients(Predicate<BlockKey> test) {
    disturbs = test;
  }

  /**
   * Tells of each copy that has come, so that readers who hold its replica open can turn to it.
   *
   * @param listener called by the threads that fill
   */
  public void tellOfNewCopies(Consumer<BlockKey> listener) {
    newCopies = listener;
  }

  /** Fills that wait for clients to end. */
  public synchronized int waitingForClients() {
    return deferred.size();
  }

  /**
   * Begins the fills that disturb nobody any more, or to verify copies where there are none; call
   * with each heartbeat.
   */
  public void tick() {
    List<BlockKey> waiting;
    synchronized (this) {
      waiting = List.copyOf(deferred);
    }
    for (BlockKey key : waiting) {
      boolean disturbing = disturbs.test(key);
      boolean begins;
      synchronized (this) {
        Integer waited = toFill.computeIfPresent(key, (k, before) -> before + 1);
        boolean ended = waited == null || !disturbing || waited >= LONGEST_WAIT;
        begins = ended && deferred.remove(key) && waited != null;
      }
      if (begins) {
        offer(key);
      }
    }
    if (anyUnverified() && queue.running() == 0) {
      queue.offer(this::verifySome);
    }
  }

  /** Has an ordered fill wait if it would disturb clients, and says so. */
  private boolean putOff(BlockKey key) {
    boolean disturbing = disturbs.test(key);
    synchronized (this) {
      Integer waited = toFill.get(key);
      return disturbing && waited != null && waited < LONGEST_WAIT && deferred.add(key);
    }
  }

  /**
   * A block is read.
   *
   * @param key state of the finalized replica, looked up by the caller at this moment
   * @param offset where the stream shall stand
   * @param reader the job that reads, or ""
   * @param counts whether the master shall hear of it; false for a second look at the same block
   * @return the copy, or empty: read the original
   */
  public Optional<FileInputStream> read(BlockKey key, long offset, String reader, boolean counts) {
    Optional<FileInputStream> copy = store.open(key, offset);
    if (counts) {
      note(new AccessEvent(key, reader, copy.isPresent()));
    }
    return copy;
  }

  private synchronized void note(AccessEvent event) {
    if (accesses.size() >= maxAccesses) {
      dropped++;
    } else {
      accesses.addLast(event);
    }
  }

  /** What to tell the master; what it holds is not told again. */
  public SlaveReport report() {
    SpaceReport now = space.get();
    List<BlockKey> inventory = null;
    synchronized (this) {
      if (inventoryWanted) {
        inventory = new ArrayList<>(store.keys());
        inventory.addAll(toFill.keySet());
        inventoryWanted = false;
      }
      // A block that has come back since is not gone.
      Map<BlockKey, Integer> coming = toFill;
      gone.removeIf(key -> store.holdsAny(key.pool(), key.blockId()) || coming.containsKey(key));
      SlaveReport report =
          new SlaveReport(
              slave,
              incarnation,
              now,
              List.copyOf(accesses),
              List.copyOf(gone),
              inventory,
              dropped);
      accesses.clear();
      gone.clear();
      return report;
    }
  }

  /**
   * A report was not answered. Its reads are lost; what is gone is told again. Whether the master
   * has booked orders that never came is unknown, so the next report holds the inventory.
   */
  public synchronized void undelivered(SlaveReport report) {
    report.gone().forEach(gone::addLast);
    dropped += report.accesses().size();
    sendInventory();
  }

  /** What the master has booked may not be what is here: the next report holds the inventory. */
  public synchronized void sendInventory() {
    inventoryWanted = true;
  }

  /** Does what the master says; false if a younger master has spoken before. */
  public boolean obey(MasterReply reply) {
    synchronized (this) {
      if (reply.epoch() < epoch) {
        return false;
      }
      epoch = reply.epoch();
      inventoryWanted |= reply.sendInventory();
    }
    for (MasterReply.Order order : reply.orders()) {
      if (order instanceof Evict evict) {
        evict(evict.pool(), evict.blockId());
      } else if (order instanceof Fill fill) {
        fill(fill.key());
      }
    }
    return true;
  }

  /** The youngest master this slave has heard of; Long.MIN_VALUE before the first. */
  public synchronized long epoch() {
    return epoch;
  }

  /** Drops a copy without an order, as when no master can be asked; the master hears of it. */
  public void drop(BlockKey key) {
    evict(key.pool(), key.blockId());
    synchronized (this) {
      gone.addLast(key);
    }
  }

  /** Drops a copy, and a fill of it that has not ended. */
  private void evict(String pool, long blockId) {
    synchronized (this) {
      toFill.keySet().removeIf(key -> key.blockId() == blockId && key.pool().equals(pool));
      deferred.removeIf(key -> key.blockId() == blockId && key.pool().equals(pool));
    }
    store.evict(pool, blockId);
  }

  private void fill(BlockKey key) {
    synchronized (this) {
      if (toFill.putIfAbsent(key, 0) != null) {
        return;
      }
    }
    if (!putOff(key)) {
      offer(key);
    }
  }

  private void offer(BlockKey key) {
    if (!queue.offer(() -> fillNow(key))) {
      notFilled(key);
    }
  }

  private void fillNow(BlockKey key) {
    if (putOff(key)) {
      // A client has come while it waited for a thread.
      return;
    }
    FillResult result = FillResult.SOURCE_FAILED;
    try {
      if (wanted(key)) {
        result = store.fill(key, cancellable(key, sources.apply(key)), limiter);
      }
    } finally {
      if (result == FillResult.FILLED || result == FillResult.ALREADY) {
        filled(key);
      } else {
        notFilled(key);
      }
    }
  }

  private FillSource cancellable(BlockKey key, FillSource source) {
    return new FillSource() {
      @Override
      public java.io.InputStream open() throws java.io.IOException {
        return source.open();
      }

      @Override
      public boolean stillValid() {
        return wanted(key) && source.stillValid();
      }
    };
  }

  private synchronized boolean wanted(BlockKey key) {
    return toFill.containsKey(key);
  }

  private void filled(BlockKey key) {
    boolean cancelled;
    synchronized (this) {
      cancelled = toFill.remove(key) == null;
    }
    if (cancelled) {
      store.evict(key.pool(), key.blockId());
    } else {
      newCopies.accept(key);
    }
  }

  private synchronized void notFilled(BlockKey key) {
    if (toFill.remove(key) != null) {
      gone.addLast(key);
    }
  }

  @Override
  public void leaving(BlockKey key) {
    readers.leaving(key);
  }

  @Override
  public void left(BlockKey key) {
    readers.left(key);
  }

  @Override
  public void lost(BlockKey key, String why) {
    synchronized (this) {
      gone.addLast(key);
    }
    readers.lost(key, why);
  }
}
