// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The memory for unsorted records of running maps: a fixed number of equal slabs (Mammoth paper,
 * Shi et al. 2015, §4.1, equation 1), allocated by {@link #makeAll} or when first lent, then kept,
 * all charged to the ledger from the beginning. A few slabs are set aside for each slot, also while
 * no map runs there, so that a map that starts can work at once whatever the others have borrowed.
 * Beyond them each running map has a share that others give back to it as they use theirs up, and
 * beyond that maps lend each other what is unused. A lone map may have all but what is set aside
 * for the other slots. A map that finds no slab sorts and flushes what it holds and collects on in
 * that, so maps cannot block each other.
 *
 * <p>Any thread. One short lock per slab, never per record.
 */
public final class ElementPool implements AutoCloseable {

  private static final LeaseOwner ENGINE = new LeaseOwner("engine", "engine", "elements");

  private final int elementBytes;
  private final int slabs;
  private final int slots;
  private final int setAside;
  private final Lease lease;

  @GuardedBy("this")
  private final ArrayDeque<byte[]> free = new ArrayDeque<>();

  @GuardedBy("this")
  private final Map<byte[], ElementShare> lent = new IdentityHashMap<>();

  @GuardedBy("this")
  private final Set<ElementShare> open = new LinkedHashSet<>();

  @GuardedBy("this")
  private int made;

  /**
   * Charges the whole pool to the ledger.
   *
   * @param elementBytes size of a slab, at least 1
   * @param slabs how many, at least two per slot: one collects while one is sorted
   * @param slots maps expected to run at the same time, at least 1
   * @throws IllegalStateException if the ledger has no room for it
   */
  public ElementPool(Ledger ledger, int elementBytes, int slabs, int slots) {
    if (elementBytes < 1 || slots < 1 || slabs < 2L * slots) {
      throw new IllegalArgumentException(
          slabs
              + " elements of "
              + elementBytes
              + " bytes are too few for "
              + slots
              + " map slots. Raise mammoth.memory.element-fraction or"
              + " mammoth.memory.element-queue-mb.");
    }
    this.elementBytes = elementBytes;
    this.slabs = slabs;
    this.slots = slots;
    this.setAside = Math.min(MemorySizing.LEAST_PER_SLOT, slabs / slots);
    this.lease = ledger.open(ENGINE, BufferKind.ELEMENT);
    if (!lease.tryAcquire((long) elementBytes * slabs)) {
      lease.close();
      throw new IllegalStateException(
          "the element pool of "
              + (long) elementBytes * slabs
              + " bytes does not fit the memory of the engine. Lower"
              + " mammoth.memory.element-fraction.");
    }
  }

  /** Size of each slab in bytes. */
  public int elementBytes() {
    return elementBytes;
  }

  /** How many slabs there are, lent or not. */
  public int slabs() {
    return slabs;
  }

  /** How many slabs are lent now. */
  public synchronized int lentSlabs() {
    return lent.size();
  }

  /** Slabs held now by each map that has a share. */
  public synchronized Map<LeaseOwner, Integer> held() {
    Map<LeaseOwner, Integer> held = new LinkedHashMap<>();
    open.forEach(share -> held.merge(share.owner(), share.held, Integer::sum));
    return held;
  }

  /** A map starts. Close the share when its attempt ends, whatever happened. */
  public synchronized ElementShare open(LeaseOwner owner) {
    ElementShare share = new ElementShare(this, owner);
    open.add(share);
    notifyAll();
    return share;
  }

  /** Slabs a map gets at once, whatever others hold, unless more maps run than there are slots. */
  public int setAside() {
    return setAside;
  }

  /** Slabs of each running map's share, at least 1 while there is one for each. */
  synchronized int guaranteed() {
    return slabs / Math.max(slots, open.size());
  }

  synchronized byte[] poll(ElementShare share) {
    if (!open.contains(share)) {
      throw new IllegalStateException("the elements of " + share.owner() + " have been closed");
    }
    if (slabs - lent.size() <= keptFromIt(share)) {
      return null;
    }
    byte[] slab = free.pollLast();
    if (slab == null) {
      slab = new byte[elementBytes];
      made++;
    }
    lent.put(slab, share);
    share.held++;
    return slab;
  }

  synchronized byte[] take(ElementShare share) throws InterruptedException {
    byte[] slab = poll(share);
    while (slab == null) {
      wait();
      slab = poll(share);
    }
    return slab;
  }

  synchronized void give(ElementShare share, byte[] slab) {
    if (lent.get(slab) != share) {
      throw new IllegalStateException(
          share.owner() + " gave back an element that was not lent to it");
    }
    lent.remove(slab);
    share.held--;
    free.addLast(slab);
    notifyAll();
  }

  synchronized void close(ElementShare share) {
    if (open.remove(share)) {
      lent.values().removeIf(holder -> holder == share);
      // Whoever still writes them writes into garbage, not into another map's records.
      made -= share.held;
      share.held = 0;
      notifyAll();
    }
  }

  /** How many of the free slabs are not for {@code share}. */
  @GuardedBy("this")
  private int keptFromIt(ElementShare share) {
    if (share.held < setAside) {
      return 0;
    }
    return forSlots() + untakenBut(share, share.held < guaranteed() ? setAside : guaranteed());
  }

  /** Set aside for the slots where no map runs. */
  @GuardedBy("this")
  private int forSlots() {
    return setAside * Math.max(0, slots - open.size());
  }

  @GuardedBy("this")
  private int untakenBut(ElementShare share, int each) {
    int untaken = 0;
    for (ElementShare other : open) {
      untaken += other == share ? 0 : Math.max(0, each - other.held);
    }
    return untaken;
  }

  /**
   * Makes all slabs that are not there yet, so that no map waits for the JVM to clear their memory
   * and to move them to where they stay. Takes a second per gigabyte or so; maps may take slabs
   * meanwhile.
   */
  public void makeAll() {
    boolean more = lacksSlabs();
    while (more) {
      // Cleared outside the lock: a map that wants a slab now must not wait for all of them.
      more = add(new byte[elementBytes]);
    }
  }

  private synchronized boolean lacksSlabs() {
    return made < slabs;
  }

  /** Adds a slab if it lacks one, and says whether it still does. */
  private synchronized boolean add(byte[] slab) {
    if (lacksSlabs()) {
      free.addFirst(slab);
      made++;
    }
    return lacksSlabs();
  }

  /** Bytes the JVM has been asked for so far. */
  public synchronized long allocatedBytes() {
    return (long) made * elementBytes;
  }

  /**
   * Ends the pool and its charge.
   *
   * @throws IllegalStateException if a map still holds elements; the message names all that do
   */
  @Override
  public synchronized void close() {
    lease.close();
    if (!lent.isEmpty()) {
      Set<LeaseOwner> holders = new LinkedHashSet<>();
      lent.values().forEach(share -> holders.add(share.owner()));
      throw new IllegalStateException(lent.size() + " elements were never given back: " + holders);
    }
  }
}
