// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * Every byte of intermediate data, charged to a user, a job, an attempt and a kind of buffer. The
 * sum never exceeds the cap: a lease that would break it is refused.
 *
 * <p>Any thread may charge, release and read at any time; there is no lock, so a reader stops
 * nobody. Totals read while others charge are each exact for some moment, not all for the same one;
 * when nobody charges they add up.
 */
public final class Ledger {

  private final long cap;
  private final AtomicLong pooled = new AtomicLong();
  private final AtomicLong others = new AtomicLong();
  private final LongAdder[] kinds = new LongAdder[BufferKind.values().length];
  private final Set<Lease> open = ConcurrentHashMap.newKeySet();

  /** Bytes of the cap that only the cache pool's kinds may use. */
  private volatile long pool;

  /**
   * An empty ledger.
   *
   * @param cap bytes that may be leased at any time, at least 1
   */
  public Ledger(long cap) {
    if (cap < 1) {
      throw new IllegalArgumentException("a ledger of " + cap + " bytes can lease nothing");
    }
    this.cap = cap;
    for (int i = 0; i < kinds.length; i++) {
      kinds[i] = new LongAdder();
    }
  }

  /**
   * Keeps a part of the cap for the kinds of the cache pool, so that I/O queues and the data cache
   * never take what the pool's own units are to be charged to.
   *
   * @throws IllegalStateException if the rest of the cap is in use, or too small
   */
  void fencePool(long bytes) {
    if (bytes > cap - others.get() || pool != 0 || pooled.get() != 0) {
      throw new IllegalStateException(
          "a cache pool of "
              + bytes
              + " bytes does not fit a ledger of "
              + cap
              + " bytes of which "
              + used()
              + " are leased and "
              + pool
              + " belong to a pool. Lower mammoth.memory.pool-fraction.");
    }
    pool = bytes;
  }

  /**
   * Opens a lease of no bytes. Close it when its attempt ends, whatever happened. A lease of a kind
   * of the cache pool gets nothing before a {@link CacheScheduler} has been made over this ledger.
   */
  public Lease open(LeaseOwner owner, BufferKind kind) {
    Lease lease = new Lease(this, owner, kind);
    open.add(lease);
    return lease;
  }

  /** Bytes that may be leased at any time. */
  public long cap() {
    return cap;
  }

  /** Bytes leased now, 0 to {@link #cap}. */
  public long used() {
    return pooled.get() + others.get();
  }

  /** Bytes leased now for one kind of buffer. */
  public long used(BufferKind kind) {
    return kinds[kind.ordinal()].sum();
  }

  /** One row per open lease, in no order. */
  public List<LedgerRow> snapshot() {
    List<LedgerRow> rows = new ArrayList<>();
    for (Lease lease : open) {
      rows.add(new LedgerRow(lease.owner(), lease.kind(), lease.bytes()));
    }
    return rows;
  }

  /**
   * Closes what an attempt still leases outside the cache pool. Units of the pool go back through
   * the {@link CacheScheduler}, which knows where they are.
   */
  public void endAttempt(LeaseOwner owner) {
    end(owner::equals);
  }

  /** Closes what the attempts of a job still lease outside the cache pool. */
  public void endJob(String job) {
    end(owner -> owner.job().equals(job));
  }

  private void end(Predicate<LeaseOwner> whose) {
    for (Lease lease : open) {
      if (!lease.kind().pooled() && whose.test(lease.owner())) {
        lease.close();
      }
    }
  }

  boolean charge(BufferKind kind, long bytes) {
    AtomicLong account = account(kind);
    long limit = kind.pooled() ? pool : cap - pool;
    long now;
    do {
      now = account.get();
      if (bytes > limit - now) {
        return false;
      }
    } while (!account.compareAndSet(now, now + bytes));
    kinds[kind.ordinal()].add(bytes);
    return true;
  }

  void discharge(BufferKind kind, long bytes) {
    account(kind).addAndGet(-bytes);
    kinds[kind.ordinal()].add(-bytes);
  }

  void retag(BufferKind from, BufferKind to, long bytes) {
    kinds[from.ordinal()].add(-bytes);
    kinds[to.ordinal()].add(bytes);
  }

  void closed(Lease lease) {
    open.remove(lease);
  }

  private AtomicLong account(BufferKind kind) {
    return kind.pooled() ? pooled : others;
  }
}
