// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

/** The elements of one running map. Any thread. */
public final class ElementShare implements AutoCloseable {

  /** Slabs lent; guarded by the pool. */
  int held;

  private final ElementPool pool;
  private final LeaseOwner owner;

  ElementShare(ElementPool pool, LeaseOwner owner) {
    this.pool = pool;
    this.owner = owner;
  }

  public LeaseOwner owner() {
    return owner;
  }

  /**
   * Slabs of this map's share: the first {@link ElementPool#setAside} at once, the others as those
   * who borrowed them give them back. Changes when more maps run than there are slots.
   */
  public int guaranteed() {
    return pool.guaranteed();
  }

  /** Slabs held now. */
  public int held() {
    synchronized (pool) {
      return held;
    }
  }

  /**
   * A slab, or null if its share is used up and the others may need the rest. Its content is what
   * the last borrower left.
   *
   * @throws IllegalStateException if it has been closed
   */
  public byte[] poll() {
    return pool.poll(this);
  }

  /**
   * A slab, waiting until one is given back. Never waits for others while it holds fewer than are
   * set aside for it, unless more maps run than there are slots.
   *
   * @throws InterruptedException if the task was killed while it waited
   * @throws IllegalStateException if it has been closed
   */
  public byte[] take() throws InterruptedException {
    return pool.take(this);
  }

  /**
   * Gives a slab back.
   *
   * @throws IllegalStateException if it was not lent to this map, or was given back before
   */
  public void give(byte[] slab) {
    pool.give(this, slab);
  }

  /**
   * The attempt has ended, whatever happened: what it still holds is replaced, as its thread may
   * still write to it.
   */
  @Override
  public void close() {
    pool.close(this);
  }
}
