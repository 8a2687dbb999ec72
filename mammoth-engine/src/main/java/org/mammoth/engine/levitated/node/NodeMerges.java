// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.mammoth.engine.memory.InputWindows;
import org.mammoth.engine.shuffle.MergeList;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.SegmentSource;
import org.mammoth.engine.shuffle.server.SegmentUnavailableException;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;

/**
 * A node's map outputs, and what its engine merges of them for reduces elsewhere: each merge is
 * there under a name of its own, like the output of one more map. Any thread.
 */
public final class NodeMerges implements SegmentSource {

  /** What reading a merge may wait for: disks, of which it needs several. */
  private static final String MERGES = "merges";

  /** Outputs in all lists together; a list takes some hundred bytes of heap for each. */
  private static final long MOST_PARTS = 1 << 18;

  /** A merge that nobody has read for this long is forgotten. */
  private static final long FORGOTTEN_NANOS = TimeUnit.HOURS.toNanos(1);

  private final SegmentSource outputs;
  private final LongSupplier nanoTime;
  private final Map<SegmentKey, NodeMerge> merges = new ConcurrentHashMap<>();
  private final Set<String> names = ConcurrentHashMap.newKeySet();
  private final MergeMemory memory;

  /** Guarded by this. */
  private long parts;

  /**
   * Merges nothing yet.
   *
   * @param outputs the node's map outputs
   * @param windows where memory comes from; null if there is none, and nothing is merged
   * @param totalBytes memory of all merges together
   */
  public NodeMerges(
      SegmentSource outputs, InputWindows windows, long totalBytes, LongSupplier nanoTime) {
    this.outputs = outputs;
    this.nanoTime = nanoTime;
    this.memory = new MergeMemory(windows, merges.values(), totalBytes);
  }

  @Override
  public void merge(MergeList list) throws SegmentUnavailableException {
    KeyOrder order = KeyOrders.numbered(list.order());
    if (order == null) {
      throw new SegmentUnavailableException(
          Reason.NO_SUCH_OUTPUT, "this engine knows no order of keys number " + list.order());
    }
    long now = nanoTime.getAsLong();
    synchronized (this) {
      for (NodeMerge each : merges.values()) {
        if (now - each.lastUsed() > FORGOTTEN_NANOS) {
          unmerge(each.list().key());
        }
      }
      NodeMerge known = merges.get(list.key());
      if (known != null && known.list().equals(list)) {
        return;
      }
      unmerge(list.key());
      if (parts + list.parts().size() > MOST_PARTS) {
        throw new SegmentUnavailableException(
            Reason.BUSY, "this node merges " + parts + " outputs for other nodes");
      }
      parts += list.parts().size();
      names.add(list.name());
      merges.put(list.key(), new NodeMerge(list, outputs, order, memory, now));
    }
  }

  @Override
  public synchronized void unmerge(SegmentKey key) {
    NodeMerge gone = merges.remove(key);
    if (gone != null) {
      parts -= gone.list().parts().size();
      names.remove(key.mapAttempt());
      gone.close();
    }
  }

  /** Forgets the merges of a job that is over. */
  public synchronized void jobFinished(String job) {
    for (SegmentKey key : merges.keySet()) {
      if (key.job().equals(job)) {
        unmerge(key);
      }
    }
  }

  /** Merges that somebody wants. */
  public int size() {
    return merges.size();
  }

  /** Units of memory that merges hold now. */
  public long heldUnits() {
    return memory.lent();
  }

  @Override
  public String waitsFor(String job, String mapAttempt) {
    return names.contains(mapAttempt) ? MERGES : outputs.waitsFor(job, mapAttempt);
  }

  @Override
  public Segment find(String job, String mapAttempt, int partition) throws IOException {
    NodeMerge merge = merges.get(new SegmentKey(job, mapAttempt, partition));
    if (merge == null) {
      return outputs.find(job, mapAttempt, partition);
    }
    try {
      merge.open(nanoTime.getAsLong());
    } catch (IOException | RuntimeException e) {
      if (merge.length() == 0) {
        // Nobody has seen it: who asked for it takes its outputs one by one.
        unmerge(merge.list().key());
      }
      throw e;
    }
    return new Merged(merge, nanoTime);
  }

  /** One reading of a merge. */
  private record Merged(NodeMerge merge, LongSupplier nanoTime) implements Segment {

    @Override
    public String waitsFor(long offset) {
      return MERGES;
    }

    @Override
    public long rawLength() {
      return merge.length();
    }

    @Override
    public long partLength() {
      return merge.length();
    }

    @Override
    public long identity() {
      return merge.list().identity();
    }

    @Override
    public int flags() {
      return 0;
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
      merge.read(offset, into, nanoTime.getAsLong());
    }

    @Override
    public void close() {}
  }
}
