// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.mammoth.engine.concurrent.Outcome;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.client.Fetch;
import org.mammoth.engine.shuffle.client.FetchRequest;
import org.mammoth.engine.shuffle.client.FetchSink;

/**
 * Fetches ranges for all reduces of an engine (NetMerger; Hadoop-A paper, Yu et al. 2013, §4.1). A
 * node has few slots; when one is free, everything that waits for the node goes out together, in
 * the order of files and offsets, so that the node's disks see few long sweeps instead of many
 * short seeks. What is on its way from a node is bounded by slots and bytes. Any thread; never
 * blocks.
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

  /** Of one batch; all batches together stay below the streams a server admits on a connection. */
  private static final int MOST_RANGES = 512;

  private static final Comparator<Range> BY_PLACE =
      Comparator.<Range, String>comparing(range -> range.key().mapAttempt())
          .thenComparingInt(range -> range.key().partition())
          .thenComparingLong(Range::offset);

  /** Ranges that went out together. */
  private static final class Batch {
    private int left;

    Batch(int size) {
      left = size;
    }
  }

  private static final class Node {
    private final List<Range> waiting = new ArrayList<>();
    private int batches;
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
  private final int slots;
  private final long batchBytes;
  private final Map<InetSocketAddress, Node> nodes = new HashMap<>();

  /**
   * A fetcher that has nothing to do yet.
   *
   * @param slots batches on their way from one node at a time, at least 1
   * @param batchBytes of one batch at most, if it has more than one range
   */
  public RangeFetcher(Transport transport, int slots, long batchBytes) {
    this.transport = transport;
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
    List<Range> batch = next(address, dropped);
    while (batch != null) {
      send(address, batch);
      batch = next(address, dropped);
    }
    dropped.forEach(range -> range.tell(null, new CancellationException("nobody wants it")));
  }

  private synchronized List<Range> next(InetSocketAddress address, List<Range> dropped) {
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
      if (node.batches == 0) {
        nodes.remove(address);
      }
      return null;
    }
    if (node.batches == slots) {
      return null;
    }
    node.batches++;
    // Those that have waited longest are in the batch, whatever their place.
    int size = 0;
    long bytes = 0;
    while (size < Math.min(MOST_RANGES, node.waiting.size())
        && (size == 0 || bytes + node.waiting.get(size).missing() <= batchBytes)) {
      bytes += node.waiting.get(size).missing();
      size++;
    }
    List<Range> head = node.waiting.subList(0, size);
    List<Range> batch = new ArrayList<>(head);
    head.clear();
    batch.sort(BY_PLACE);
    return batch;
  }

  private void send(InetSocketAddress address, List<Range> ranges) {
    Batch batch = new Batch(ranges.size());
    List<Arrived> arrived = new ArrayList<>();
    List<FetchRequest> requests = new ArrayList<>();
    for (Range range : ranges) {
      Arrived into = new Arrived(range.into());
      arrived.add(into);
      requests.add(
          new FetchRequest(range.key(), range.offset(), range.missing(), range.identity(), false));
    }
    List<Fetch> fetches = transport.fetchAll(address, requests, List.copyOf(arrived));
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
      batch.left--;
      if (batch.left > 0) {
        return;
      }
      nodes.get(address).batches--;
    }
    pump(address);
  }

  private static Throwable unwrap(Throwable failure) {
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }
}
