// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lends what nobody needs of the cache pool to the data cache, until somebody does. To the rules of
 * the {@link CacheScheduler} such units are free: no quota, share or watermark sees them, and a
 * grant that finds no other takes one back at once, under the scheduler's lock, without waiting for
 * anybody. Only a unit that is being written, for the time of one copy, counts as lent.
 *
 * <p>Any thread. All of it is guarded by the scheduler's lock.
 */
public final class SpareUnits {

  /**
   * Who holds the units. Called under the scheduler's lock: answers at once, and takes no lock
   * under which the scheduler may be called.
   */
  public interface Holder {

    /**
     * The unit that it can do without best, which it forgets with this call; null if it has none.
     */
    SpareUnit giveUp();

    /**
     * A unit that is of no use any more, which it forgets with this call; null if there is none.
     */
    SpareUnit unwanted();
  }

  private static final Logger LOG = LoggerFactory.getLogger(SpareUnits.class);

  private final ReentrantLock lock;
  private final MemoryState state;
  private final CachePool pool;
  private final Ledger ledger;

  /** Serves requests that wait; called under the lock. */
  private final Runnable serve;

  /** Every unit that is out and has not gone. */
  @GuardedBy("lock")
  private final Set<SpareUnit> out = new LinkedHashSet<>();

  @GuardedBy("lock")
  private Holder holder;

  @GuardedBy("lock")
  private Lease lease;

  @GuardedBy("lock")
  private long most;

  /** Units that have gone while they were written, and come back when that is over. */
  @GuardedBy("lock")
  private long pending;

  SpareUnits(ReentrantLock lock, MemoryState state, CachePool pool, Ledger ledger, Runnable serve) {
    this.lock = lock;
    this.state = state;
    this.pool = pool;
    this.ledger = ledger;
    this.serve = serve;
  }

  /**
   * Begins to lend.
   *
   * @param owner whom the units are charged to
   * @param units how many at most
   * @throws IllegalStateException if there is a holder already
   */
  public void open(LeaseOwner owner, long units, Holder newHolder) {
    lock.lock();
    try {
      if (holder != null) {
        throw new IllegalStateException("spare units of one cache pool were to get two holders");
      }
      holder = newHolder;
      lease = ledger.open(owner, BufferKind.DATA_CACHE);
      most = units;
    } finally {
      lock.unlock();
    }
  }

  /** Size of each unit in bytes. */
  public int unitBytes() {
    return pool.unitBytes();
  }

  /** How many are out now. */
  public long units() {
    lock.lock();
    try {
      return out.size();
    } finally {
      lock.unlock();
    }
  }

  /** How many may be out. */
  public long most() {
    lock.lock();
    try {
      return most;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A unit to be written, if one is free and nobody waits for memory; else null. The holder must
   * know it before {@link #keep}.
   */
  public SpareUnit take() {
    lock.lock();
    try {
      boolean room = holder != null && out.size() < most && unused() > 0;
      if (!room || !state.waiting.isEmpty() || !lease.tryAcquire(pool.unitBytes())) {
        return null;
      }
      CacheUnit unit = polled();
      if (unit == null) {
        lease.release(pool.unitBytes());
        return null;
      }
      SpareUnit spare = new SpareUnit(unit);
      out.add(spare);
      state.writing++;
      return spare;
    } finally {
      lock.unlock();
    }
  }

  private CacheUnit polled() {
    try {
      return pool.poll();
    } catch (OutOfMemoryError e) {
      // The file is not kept then; whoever writes it has not asked for memory.
      return null;
    }
  }

  /**
   * Allows its caller to write a unit; false if it has gone. One caller at a time for each unit.
   */
  public boolean borrow(SpareUnit spare) {
    lock.lock();
    try {
      if (spare.isGone()) {
        return false;
      }
      spare.borrowed = true;
      state.writing++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the writing of a unit, which may be asked back from now on. */
  public void keep(SpareUnit spare) {
    lock.lock();
    try {
      if (spare.borrowed) {
        spare.borrowed = false;
        state.writing--;
        if (spare.isGone()) {
          pending--;
          comeBack(spare);
        }
        serve.run();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes back what the holder has no use for. */
  public void trim() {
    lock.lock();
    try {
      SpareUnit spare = holder == null ? null : holder.unwanted();
      while (spare != null) {
        drop(spare);
        spare = holder.unwanted();
      }
      serve.run();
    } finally {
      lock.unlock();
    }
  }

  /** Makes room for {@code more} units beside all that are out. Under the scheduler's lock. */
  @SuppressWarnings("GuardedBy") // the scheduler's lock is this one, which the checker cannot know
  void makeRoom(long more) {
    while (!out.isEmpty() && unused() < more) {
      SpareUnit victim = victim();
      if (victim == null) {
        return;
      }
      drop(victim);
    }
  }

  /** Units of the limit that nobody has. */
  @GuardedBy("lock")
  private long unused() {
    return state.total() - state.lent() - out.size() - pending;
  }

  @GuardedBy("lock")
  private SpareUnit victim() {
    SpareUnit victim = null;
    try {
      victim = holder.giveUp();
    } catch (RuntimeException e) {
      LOG.error("The data cache could not say what it can do without", e);
    }
    Iterator<SpareUnit> any = out.iterator();
    while (victim == null && any.hasNext()) {
      // Memory comes back, whatever the holder says.
      SpareUnit next = any.next();
      victim = next.borrowed ? null : next;
    }
    return victim;
  }

  @GuardedBy("lock")
  private void drop(SpareUnit spare) {
    if (!spare.isGone()) {
      spare.markGone();
      out.remove(spare);
      if (spare.borrowed) {
        pending++;
      } else {
        comeBack(spare);
      }
    }
  }

  @GuardedBy("lock")
  private void comeBack(SpareUnit spare) {
    pool.give(spare.unit);
    lease.release(pool.unitBytes());
  }
}
