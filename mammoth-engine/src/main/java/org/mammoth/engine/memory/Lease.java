// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of a {@link Ledger} under one owner and one kind of buffer. Any thread may use it; nothing
 * here waits or locks. Once closed it holds nothing and takes nothing, and what comes back late is
 * not counted twice.
 */
public final class Lease implements AutoCloseable {

  private static final long CLOSED = -1;

  private final Ledger ledger;
  private final LeaseOwner owner;
  private final BufferKind kind;
  private final AtomicLong bytes = new AtomicLong();

  Lease(Ledger ledger, LeaseOwner owner, BufferKind kind) {
    this.ledger = ledger;
    this.owner = owner;
    this.kind = kind;
  }

  public LeaseOwner owner() {
    return owner;
  }

  public BufferKind kind() {
    return kind;
  }

  /** Bytes held now; 0 once closed. */
  public long bytes() {
    return Math.max(0, bytes.get());
  }

  /** Whether it has ended. */
  public boolean isClosed() {
    return bytes.get() == CLOSED;
  }

  /**
   * Charges more bytes if the ledger has room for them.
   *
   * @return false if the cap would be broken; nothing has changed then
   * @throws IllegalStateException if the lease has ended
   */
  public boolean tryAcquire(long more) {
    check(more);
    if (!ledger.charge(kind, more)) {
      return false;
    }
    if (!add(more)) {
      ledger.discharge(kind, more);
      throw ended();
    }
    return true;
  }

  /**
   * Ends the charge of bytes. Does nothing once the lease is closed, as closing released them.
   *
   * @throws IllegalStateException if it holds fewer
   */
  public void release(long fewer) {
    check(fewer);
    if (subtract(fewer)) {
      ledger.discharge(kind, fewer);
    }
  }

  /**
   * Charges bytes of this lease to another one instead. Never refused for lack of room, as the sum
   * stays what it is.
   *
   * @throws IllegalStateException if this lease holds fewer, or either has ended
   * @throws IllegalArgumentException if one kind belongs to the cache pool and the other does not
   */
  public void move(Lease to, long some) {
    check(some);
    if (to.ledger != ledger || to.kind.pooled() != kind.pooled()) {
      throw new IllegalArgumentException(
          some + " bytes of " + owner + " cannot move from " + kind + " to " + to.kind);
    }
    if (!to.add(some)) {
      throw to.ended();
    }
    boolean moved = false;
    try {
      moved = subtract(some);
    } finally {
      if (!moved) {
        to.subtract(some);
      }
    }
    if (!moved) {
      throw ended();
    }
    ledger.retag(kind, to.kind, some);
  }

  /** Releases whatever it holds and ends it; a second close does nothing. */
  @Override
  public void close() {
    long held = bytes.getAndSet(CLOSED);
    if (held != CLOSED) {
      ledger.discharge(kind, held);
      ledger.closed(this);
    }
  }

  private boolean add(long more) {
    long now;
    do {
      now = bytes.get();
      if (now == CLOSED) {
        return false;
      }
    } while (!bytes.compareAndSet(now, now + more));
    return true;
  }

  private boolean subtract(long fewer) {
    long now;
    do {
      now = bytes.get();
      if (now == CLOSED) {
        return false;
      }
      if (fewer > now) {
        throw new IllegalStateException(
            fewer + " bytes of " + kind + " were released by " + owner + ", which leases " + now);
      }
    } while (!bytes.compareAndSet(now, now - fewer));
    return true;
  }

  private static void check(long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException("a lease cannot change by " + amount + " bytes");
    }
  }

  private IllegalStateException ended() {
    return new IllegalStateException("the lease of " + owner + " for " + kind + " has ended");
  }
}
