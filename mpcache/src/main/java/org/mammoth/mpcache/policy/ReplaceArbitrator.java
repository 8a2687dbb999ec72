// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.hadoop.util.LightWeightResizableGSet;
import org.mammoth.mpcache.policy.Decision.Outcome;
import org.mammoth.mpcache.policy.Departure.Cause;

/**
 * The master's Replace Arbitrator (mpCache paper, Wang et al. 2016, §3.3): books of which copy is
 * on which node, answers to every read, evictions. What to admit and whom to displace is its {@link
 * ReplacementPolicy}'s. A copy is booked when the node is told to store it; a node that could not
 * reports it removed.
 *
 * <p>Not thread-safe: the caller serialises. No clock, no thread, no I/O.
 */
public final class ReplaceArbitrator {

  private static final long[] NONE = {};
  private static final int NOWHERE = -1;

  private final AdmissionFacility facility;
  private final LightWeightResizableGSet<BlockName, CachedBlock> table =
      new LightWeightResizableGSet<>();
  private final Map<Integer, NodeSpace> nodes = new HashMap<>();
  private ReplacementPolicy policy;
  private long available;
  private long copies;

  public ReplaceArbitrator(AdmissionFacility facility, ReplacementPolicy policy) {
    this.facility = facility;
    this.policy = policy;
  }

  /**
   * Puts another policy in force. It is told of every copy as if that had just been stored, in no
   * order; what the facility knows of the sets stays. Walks all copies of all nodes.
   */
  public void policy(ReplacementPolicy next) {
    facility.all().forEach(set -> set.queued = false);
    for (CachedBlock head : table) {
      for (CachedBlock copy = head; copy != null; copy = copy.nextCopy) {
        next.stored(copy);
      }
    }
    policy = next;
  }

  /** Sets how many bytes of input a node may cache. Nothing is evicted; see {@link #shrink}. */
  public void capacity(int node, long bytes) {
    NodeSpace space = space(node);
    available += bytes - space.capacity();
    space.capacity(bytes);
  }

  private NodeSpace space(int node) {
    return nodes.computeIfAbsent(node, number -> new NodeSpace());
  }

  /** Answers one read, and books what the answer orders. */
  public Decision access(Access read) {
    DataSet set = dataSet(read);
    NodeSpace space = space(read.node());
    CachedBlock copy = find(read.blockId(), read.node());
    if (copy != null) {
      copy.dataSet().blockAccessed();
      copy.dataSet().hit();
      policy.hit(copy);
      return new Decision(Outcome.HIT, set.admission(), NONE);
    }
    if (space.isMarked(read.blockId())) {
      if (!set.admission().admits()) {
        return new Decision(Outcome.HIT_MARKED, set.admission(), NONE);
      }
      space.unmark(read.blockId());
      book(set, read.blockId(), read.bytes(), read.node());
      set.hit();
      return new Decision(Outcome.HIT, set.admission(), NONE);
    }
    if (!set.admission().admits()) {
      return new Decision(Outcome.PASS, set.admission(), NONE);
    }
    return store(read, set, space);
  }

  /** Pins a data set, or no longer; its next access may say otherwise. */
  public void pin(DataSet set, boolean pinned) {
    set.pin(pinned);
  }

  private DataSet dataSet(Access read) {
    DataSet set = facility.find(read.dataSet());
    boolean begins = read.begins() || set == null || set.accesses() == 0;
    if (begins) {
      set = facility.opened(read.dataSet());
    }
    set.size(read.setBlocks(), read.setBytes());
    set.pin(read.pinned());
    if (begins) {
      long missing = Math.max(0, set.sizeBytes() - set.cachedBytes());
      set.admission(policy.admit(set, missing, available));
    }
    return set;
  }

  private Decision store(Access read, DataSet set, NodeSpace space) {
    long[] evict = NONE;
    if (space.free() < read.bytes()) {
      evict = space.takeMarked();
      long needed = read.bytes() - space.free();
      if (needed > 0) {
        List<CachedBlock> victims = policy.victims(set, read.node(), needed);
        if (victims.isEmpty()) {
          return new Decision(Outcome.PASS, Admission.NO_ROOM, evict);
        }
        evict = joined(evict, displace(victims, read.node(), Departure.displacedBy(set)));
      }
    }
    book(set, read.blockId(), read.bytes(), read.node());
    return new Decision(Outcome.STORE, set.admission(), evict);
  }

  /** Takes copies out of the books; those elsewhere are marked, those here returned. */
  private long[] displace(List<CachedBlock> victims, int here, Departure why) {
    long[] evicted = new long[victims.size()];
    int count = 0;
    for (CachedBlock victim : victims) {
      unbook(victim);
      victim.dataSet().departed(why);
      if (victim.node() == here) {
        evicted[count++] = victim.blockId();
      } else {
        space(victim.node()).mark(victim.blockId(), victim.bytes());
      }
    }
    return Arrays.copyOf(evicted, count);
  }

  private static long[] joined(long[] first, long[] second) {
    return LongStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
  }

  /**
   * Frees space that a node needs for something else, by the same scheme (§3.2). The capacity is
   * left as it is; the node reports its new one.
   *
   * @return blocks the node must drop; empty if it holds none that may go
   */
  public long[] shrink(int node, long bytes) {
    NodeSpace space = space(node);
    long before = space.free();
    long[] evict = space.takeMarked();
    long needed = bytes - (space.free() - before);
    if (needed <= 0) {
      return evict;
    }
    List<CachedBlock> victims = policy.victims(null, node, needed);
    return joined(evict, displace(victims, node, Departure.because(Cause.SPACE_TAKEN)));
  }

  /**
   * Books a copy a node says it has, as after a restart of either side; no access is counted. One
   * that is marked to leave stays marked.
   */
  public void restore(DataSetId id, int setBlocks, long setBytes, long blockId, long b, int node) {
    if (find(blockId, node) != null || space(node).isMarked(blockId)) {
      return;
    }
    DataSet set = facility.recorded(id);
    set.size(setBlocks, setBytes);
    book(set, blockId, b, node);
  }

  /** A node no longer has a copy, for whatever reason. */
  public void removed(long blockId, int node) {
    space(node).unmark(blockId);
    CachedBlock copy = find(blockId, node);
    if (copy != null) {
      lost(copy);
    }
  }

  private void lost(CachedBlock copy) {
    unbook(copy);
    copy.dataSet().departed(Departure.because(Cause.LOST));
  }

  /** A node has no copies but these: others leave the books. Walks all copies of all nodes. */
  public void retain(int node, Set<Long> blocks) {
    List<CachedBlock> gone = new ArrayList<>();
    for (CachedBlock head : table) {
      for (CachedBlock copy = head; copy != null; copy = copy.nextCopy) {
        if (copy.node() == node && !blocks.contains(copy.blockId())) {
          gone.add(copy);
        }
      }
    }
    gone.forEach(this::lost);
    space(node).retainMarked(blocks);
  }

  /** A node is gone, with all it held. */
  public void forget(int node) {
    retain(node, Set.of());
    capacity(node, 0);
    nodes.remove(node);
  }

  /**
   * Takes all copies of a set out of the books, pinned or not, and marks them on their nodes. Its
   * running round stores no more.
   *
   * @return how many copies there were
   */
  public int drop(DataSet set) {
    List<CachedBlock> copies = new ArrayList<>();
    set.forEachCopy(copies::add);
    displace(copies, NOWHERE, Departure.because(Cause.ORDERED));
    set.admission(Admission.NOT_RECORDED);
    return copies.size();
  }

  /** The blocks a node must still drop: its To_Del record, which is empty afterwards. */
  public long[] takeMarked(int node) {
    return space(node).takeMarked();
  }

  private CachedBlock find(long blockId, int node) {
    CachedBlock copy = table.get(new BlockName(blockId));
    while (copy != null && copy.node() != node) {
      copy = copy.nextCopy;
    }
    return copy;
  }

  private void book(DataSet set, long blockId, long bytes, int node) {
    CachedBlock copy = new CachedBlock(blockId, set, bytes, node);
    CachedBlock head = table.get(copy);
    if (head == null) {
      table.put(copy);
    } else {
      copy.nextCopy = head.nextCopy;
      head.nextCopy = copy;
    }
    set.link(copy, head == null);
    set.blockAccessed();
    space(node).add(bytes);
    available -= bytes;
    copies++;
    policy.stored(copy);
  }

  private void unbook(CachedBlock copy) {
    CachedBlock head = table.get(copy);
    if (head == copy) {
      table.remove(copy);
      if (copy.nextCopy != null) {
        table.put(copy.nextCopy);
      }
    } else {
      while (head.nextCopy != copy) {
        head = head.nextCopy;
      }
      head.nextCopy = copy.nextCopy;
    }
    copy.nextCopy = null;
    copy.dataSet().unlink(copy, table.get(copy) == null);
    space(copy.node()).subtract(copy.bytes());
    available += copy.bytes();
    copies--;
    policy.removed(copy);
  }

  /** Bytes that are filled on a node: booked copies and those it was not told to drop yet. */
  public long usedBytes(int node) {
    return space(node).live() + space(node).markedBytes();
  }

  /** Bytes of a node that are free once its To_Del record is empty; negative if over-full. */
  public long availableBytes(int node) {
    return space(node).available();
  }

  /** Bytes on all nodes that have left the cache but were not dropped yet (To_Del). */
  public long markedBytes() {
    return nodes.values().stream().mapToLong(NodeSpace::markedBytes).sum();
  }

  /** Whether a node's copy of a block is booked. */
  public boolean holds(long blockId, int node) {
    return find(blockId, node) != null;
  }

  /** Booked copies on all nodes. */
  public long copies() {
    return copies;
  }

  /** Every data set the facility remembers. */
  public Collection<DataSet> dataSets() {
    return facility.all();
  }

  /** The record of one data set, or null. */
  public DataSet dataSet(DataSetId id) {
    return facility.find(id);
  }

  /** Name of the policy in force. */
  public String policyName() {
    return policy.name();
  }
}
