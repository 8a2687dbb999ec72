// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

import java.util.function.Consumer;

/**
 * What the master knows of one data set: how often it is read (the admission facility's record,
 * mpCache paper, Wang et al. 2016, §3.3.1) and which of its blocks are cached (§3.3.2).
 *
 * <p>Not thread-safe; guarded by its {@link ReplaceArbitrator}'s caller.
 */
public final class DataSet {

  /** Distance of a set that is read twice in succession; also the least distance there is. */
  public static final double SUCCESSIVE = 0.01;

  private final DataSetId id;
  private final long order;
  private int sizeBlocks;
  private long sizeBytes;
  private boolean pinned;

  private long accesses;
  private long lastAccess;
  private double distance;
  private Admission admission = Admission.NOT_RECORDED;
  private Departure departure;
  private long hits;

  private long blocksAccess;
  private int cachedBlocks;
  private long cachedBytes;
  private long copyBytes;
  private CachedBlock firstCopy;

  /** Place in the replacement queue; meaningful while {@link #queued}. */
  double priority;

  /** The bonus that is part of {@link #priority}. */
  double bonus;

  boolean queued;

  /** Worth of what this set has displaced in the running round. */
  double spent;

  DataSet(DataSetId id, long order) {
    this.id = id;
    this.order = order;
  }

  /**
   * A round of reads begins.
   *
   * @param before accesses to any data set so far, this one not counted
   */
  void opened(long before) {
    distance = Math.max(SUCCESSIVE, accesses == 0 ? before : before - lastAccess - 1);
    lastAccess = before;
    accesses++;
  }

  void size(int blocks, long bytes) {
    sizeBlocks = Math.max(1, blocks);
    sizeBytes = bytes;
  }

  void pin(boolean pin) {
    pinned = pin;
  }

  void admission(Admission answer) {
    admission = answer;
  }

  void departed(Departure why) {
    departure = why;
  }

  void hit() {
    hits++;
  }

  void blockAccessed() {
    blocksAccess++;
  }

  void link(CachedBlock copy, boolean firstOfBlock) {
    copy.nextInSet = firstCopy;
    if (firstCopy != null) {
      firstCopy.previousInSet = copy;
    }
    firstCopy = copy;
    copyBytes += copy.bytes();
    if (firstOfBlock) {
      cachedBlocks++;
      cachedBytes += copy.bytes();
    }
  }

  void unlink(CachedBlock copy, boolean lastOfBlock) {
    if (copy.previousInSet == null) {
      firstCopy = copy.nextInSet;
    } else {
      copy.previousInSet.nextInSet = copy.nextInSet;
    }
    if (copy.nextInSet != null) {
      copy.nextInSet.previousInSet = copy.previousInSet;
    }
    copy.previousInSet = null;
    copy.nextInSet = null;
    copyBytes -= copy.bytes();
    if (lastOfBlock) {
      cachedBlocks--;
      cachedBytes -= copy.bytes();
    }
    if (firstCopy == null) {
      blocksAccess = 0;
    }
  }

  /** Every cached copy, the youngest first. The set must not change meanwhile. */
  public void forEachCopy(Consumer<CachedBlock> action) {
    for (CachedBlock copy = firstCopy; copy != null; copy = copy.nextInSet) {
      action.accept(copy);
    }
  }

  /** Bytes of its copies on one node; walks all copies. */
  long bytesOn(int node) {
    long sum = 0;
    for (CachedBlock copy = firstCopy; copy != null; copy = copy.nextInSet) {
      sum += copy.node() == node ? copy.bytes() : 0;
    }
    return sum;
  }

  public DataSetId id() {
    return id;
  }

  /** Rank of its first sight among all sets; breaks ties. */
  long order() {
    return order;
  }

  /** Size(jd): blocks of the set, cached or not, at least 1. */
  public int sizeBlocks() {
    return sizeBlocks;
  }

  /** Bytes of the set, cached or not. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Whether its path is pinned: always admitted, never a victim. */
  public boolean pinned() {
    return pinned;
  }

  /** Rounds of reads since it was first seen. */
  public long accesses() {
    return accesses;
  }

  /** How many accesses to any data set had been made when it was last read. */
  public long lastAccess() {
    return lastAccess;
  }

  /** Δ: accesses to other sets between its last two; before the second, all before its first. */
  public double distance() {
    return distance;
  }

  /** What the running, or last, round was told. */
  public Admission admission() {
    return admission;
  }

  /** Why copies of it last left the cache; null if none has. */
  public Departure departure() {
    return departure;
  }

  /** Reads of a block that was cached, since the set was first seen. */
  public long hits() {
    return hits;
  }

  /** Equation (2), or 0 while the policy in force does not rank it. */
  public double priority() {
    return queued ? priority : 0;
  }

  /** Fr(jd), equation (1): block reads since it was loaded, per block. */
  public double frequency() {
    return (double) blocksAccess / sizeBlocks;
  }

  /** Blocks of which at least one copy is cached. */
  public int cachedBlocks() {
    return cachedBlocks;
  }

  /** Bytes of the blocks of which at least one copy is cached. */
  public long cachedBytes() {
    return cachedBytes;
  }

  /** Bytes of all copies. */
  public long copyBytes() {
    return copyBytes;
  }

  public boolean cached() {
    return firstCopy != null;
  }

  /** All or nothing: whether every block is cached. */
  public boolean complete() {
    return cachedBlocks >= sizeBlocks;
  }

  @Override
  public String toString() {
    return id + " " + cachedBlocks + "/" + sizeBlocks;
  }
}
