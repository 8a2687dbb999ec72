// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.mammoth.engine.concurrent.Outcome;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.client.Fetch;
import org.mammoth.engine.shuffle.client.FetchRequest;
import org.mammoth.engine.shuffle.client.FetchSink;

/**
 * Fetches ranges for all reduces of an engine (NetMerger; Hadoop-A paper, Yu et al. 2013, §4.1). A
 * node has few slots; when one is free, everything that waits for the node goes out together, in
 * the order of files and offsets, so that the node's disks see few long sweeps instead of many
 * short seeks. What is on its way from a node is bounded by slots and bytes.
 *
 * <p>What has come of a batch frees its part of the slot, and what does not come for a while takes
 * none at all: memory and disks that answer do not wait for one that is slow or hangs.
 *
 * <p>Any thread; never blocks.
 */
public final class RangeFetcher {

  /** What it fetches over. */
  public interface Transport {

    /**
     * Begins to fetch ranges of one node together; sinks and futures are called on sockets'
     * threads.
     *
     * @param sinks one for each request
     * @return a fetch for each request
     */
    List<Fetch> fetchAll(
        InetSocketAddress node, List<FetchRequest> requests, List<FetchSink> sinks);
  }

  /** Of one batch. */
  private static final int MOST_RANGES = 512;

  /**
   * From one node, those that are late too: below the streams a server admits on a connection, so
   * that others find one.
   */
  private static final int MOST_UNDER_WAY = 3_072;

  /** What has not come after so long takes no slot any more. */
  private static final long LATE_MS = 1_000;

  /** A slot, in equal parts for the ranges of its batch. */
  private static final long SLOT = 1L << 32;

  private static final Comparator<Range> BY_PLACE =
      Comparator.<Range, String>comparing(range -> range.key().mapAttempt())
          .thenComparingInt(range -> range.key().partition())
          .thenComparingLong(Range::offset);

  /** Ranges that went out together. Guarded by the fetcher. */
  private static final class Batch {
    private final long sentAt;

    /** How much of a slot each range takes; 0 when they are late. */
    private long each;

    private int left;

    Batch(int size, long now) {
      left = size;
      each = SLOT / size;
      sentAt = now;
    }
  }

  /** Guarded by the fetcher. */
  private static final class Node {
    private final List<Range> waiting = new ArrayList<>();

    /** Those of which some are under way and not late, in the order of their sending. */
    private final ArrayDeque<Batch> batches = new ArrayDeque<>();

    private int underWay;
    private long taken;

    /** Somebody looks when the first batch is late. */
    private boolean watched;
  }

  /** What has come of a range. */
  private static final class Arrived implements FetchSink {

    /** A view of its own: what the range's owner sees moves only when all is over. */
    private final ByteBuffer bytes;

    /** Null before the source has answered. */
    private volatile SegmentInfo segment;

    Arrived(ByteBuffer into) {
      bytes = into.duplicate();
    }

    @Override
    public void opened(SegmentInfo found) {
      segment = found;
    }

    @Override
    public void chunk(long offset, ByteBuffer data) {
      bytes.put(data);
    }
  }

  private final Transport transport;
  private final Scheduler clock;
  private final int slots;
  private final long batchBytes;
  private final Map<InetSocketAddress, Node> nodes = new HashMap<>();

  /**
   * A fetcher that has nothing to do yet.
   *
   * @param clock for what is late
   * @param slots batches on their way from one node at a time, at least 1
   * @param batchBytes of one batch at most, if it has more than one range
   */
  public RangeFetcher(Transport transport, Scheduler clock, int slots, long batchBytes) {
    this.transport = transport;
    this.clock = clock;
    this.slots = slots;
    this.batchBytes = batchBytes;
  }

  /** Has ranges fetched from a node, as soon as it has a slot; each is told how it ended. */
  public void fetch(InetSocketAddress address, List<? extends Range> ranges) {
    synchronized (this) {
      nodes.computeIfAbsent(address, each -> new Node()).waiting.addAll(ranges);
    }
    pump(address);
  }

  /** Nodes from which something is on its way or wanted. */
  public synchronized int busyNodes() {
    return nodes.size();
  }

  private void pump(InetSocketAddress address) {
    List<Range> dropped = new ArrayList<>();
    List<Range> ranges = new ArrayList<>();
    Batch batch = next(address, dropped, ranges);
    while (batch != null) {
      send(address, batch, List.copyOf(ranges));
      ranges.clear();
      batch = next(address, dropped, ranges);
    }
    dropped.forEach(range -> range.tell(null, new CancellationException("nobody wants it")));
    watch(address);
  }

  private synchronized Batch next(
      InetSocketAddress address, List<Range> dropped, List<Range> ranges) {
    Node node = nodes.get(address);
    if (node == null) {
      return null;
    }
    for (Iterator<Range> each = node.waiting.iterator(); each.hasNext(); ) {
      Range range = each.next();
      if (!range.isWanted()) {
        each.remove();
        dropped.add(range);
      }
    }
    if (node.waiting.isEmpty()) {
      if (node.underWay == 0) {
        nodes.remove(address);
      }
      return null;
    }
    long now = clock.nanoTime();
    passLate(node, now);
    if (!hasRoom(node)) {
      return null;
    }
    // Those that have waited longest are in the batch, whatever their place.
    int most = Math.min(MOST_RANGES, MOST_UNDER_WAY - node.underWay);
    int size = 0;
    long bytes = 0;
    while (size < Math.min(most, node.waiting.size())
        && (size == 0 || bytes + node.waiting.get(size).missing() <= batchBytes)) {
      bytes += node.waiting.get(size).missing();
      size++;
    }
    List<Range> head = node.waiting.subList(0, size);
    ranges.addAll(head);
    head.clear();
    ranges.sort(BY_PLACE);
    Batch batch = new Batch(size, now);
    node.batches.add(batch);
    node.underWay += size;
    node.taken += size * batch.each;
    return batch;
  }

  private boolean hasRoom(Node node) {
    return node.taken <= (slots - 1) * SLOT && node.underWay < MOST_UNDER_WAY;
  }

  /** Lets those that have been under way for long take no slot. */
  private static void passLate(Node node, long now) {
    for (Batch first = node.batches.peek();
        first != null && now - first.sentAt >= TimeUnit.MILLISECONDS.toNanos(LATE_MS);
        first = node.batches.peek()) {
      node.batches.remove();
      node.taken -= first.left * first.each;
      first.each = 0;
    }
  }

  /** Has somebody look when slots come free though nothing comes. */
  private void watch(InetSocketAddress address) {
    long millis;
    synchronized (this) {
      Node node = nodes.get(address);
      if (node == null || node.watched || node.waiting.isEmpty() || node.batches.isEmpty()) {
        return;
      }
      node.watched = true;
      long age = TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - node.batches.peek().sentAt);
      millis = Math.max(1, LATE_MS - age);
    }
    try {
      clock.after(millis, () -> look(address));
    } catch (RejectedExecutionException e) {
      // the engine ends, and what is under way with it
      unwatched(address);
    }
  }

  private void look(InetSocketAddress address) {
    unwatched(address);
    pump(address);
  }

  private synchronized void unwatched(InetSocketAddress address) {
    Node node = nodes.get(address);
    if (node != null) {
      node.watched = false;
    }
  }

  private void send(InetSocketAddress address, Batch batch, List<Range> ranges) {
    List<Arrived> arrived = new ArrayList<>();
    List<FetchRequest> requests = new ArrayList<>();
    for (Range range : ranges) {
      Arrived into = new Arrived(range.into());
      arrived.add(into);
      requests.add(
          new FetchRequest(range.key(), range.offset(), range.missing(), range.identity(), false));
    }
    List<Fetch> fetches;
    try {
      fetches = transport.fetchAll(address, requests, List.copyOf(arrived));
    } catch (RuntimeException e) {
      // the engine ends
      ranges.forEach(range -> arrived(address, batch));
      ranges.forEach(range -> range.tell(null, e));
      return;
    }
    for (int i = 0; i < fetches.size(); i++) {
      Range range = ranges.get(i);
      Arrived into = arrived.get(i);
      range.started(fetches.get(i));
      Outcome.handle(
          fetches.get(i).future(),
          "The arrival of a range",
          (segment, failure) -> {
            range.into().position(into.bytes.position());
            arrived(address, batch);
            range.tell(segment == null ? into.segment : segment, unwrap(failure));
          });
    }
  }

  private void arrived(InetSocketAddress address, Batch batch) {
    synchronized (this) {
      Node node = nodes.get(address);
      batch.left--;
      node.underWay--;
      node.taken -= batch.each;
      if (batch.left == 0) {
        node.batches.remove(batch);
      } else if (!hasRoom(node)) {
        return;
      }
    }
    pump(address);
  }

  private static Throwable unwrap(Throwable failure) {
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }
}
