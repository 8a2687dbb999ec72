// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.mammoth.engine.concurrent.Outcome;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.wire.ChunkChecksum;
import org.mammoth.engine.shuffle.wire.Frame;

/**
 * One subscription of one partition or more, over as many connections as it takes, one after the
 * other.
 */
final class SubscriptionCall implements Subscription, ClientStream {

  private static final class Incoming {
    private final SegmentInfo info;
    private final ChunkChecksum checksum;
    private long verified;
    private boolean abandoned;

    private Incoming(SegmentInfo info, long verified) {
      this.info = info;
      this.verified = verified;
      this.checksum = new ChunkChecksum(info.key().bytes());
    }
  }

  private final AddressPool pool;
  private final String job;

  /** Reduce attempts by the partitions they want. */
  private final Map<Integer, String> wanted = new LinkedHashMap<>();

  private final PushReceiver receiver;
  private final ClientSettings settings;
  private final Scheduler scheduler;
  private final Map<Integer, Incoming> incoming = new HashMap<>();

  private long available;
  private ClientConnection connection;
  private int id;
  private boolean closed;

  /** Whether the connection's node has been told of the stream; event loop. */
  private boolean subscribed;

  private long pause;
  private Runnable retry = () -> {};
  private Consumer<List<Integer>> alone = partitions -> {};

  SubscriptionCall(
      AddressPool pool,
      Frame.Subscribe request,
      PushReceiver receiver,
      ClientSettings settings,
      Scheduler scheduler) {
    this.pool = pool;
    this.job = request.job();
    wanted.put(request.partition(), request.reduceAttempt());
    this.available = request.credit();
    this.receiver = receiver;
    this.settings = settings;
    this.scheduler = scheduler;
    this.pause = settings.patience().reconnectMin();
  }

  /**
   * Has {@code by} told of partitions that a node of version 1 does not take; before it connects.
   */
  void shareWith(Consumer<List<Integer>> by) {
    alone = by;
  }

  /** Subscribes one partition more. */
  void want(int partition, String reduceAttempt) {
    ClientConnection on;
    synchronized (this) {
      wanted.put(partition, reduceAttempt);
      on = connection;
    }
    if (on != null) {
      on.run(() -> ask(on, partition, reduceAttempt));
    }
  }

  private void ask(ClientConnection on, int partition, String reduceAttempt) {
    synchronized (this) {
      if (on != connection || on.ended() || !wanted.containsKey(partition)) {
        return;
      }
    }
    if (!subscribed) {
      subscribe(on, partition, reduceAttempt);
    } else if (on.version() > 1) {
      on.send(new Frame.Want(id, partition, reduceAttempt));
    } else {
      alone.accept(List.of(partition));
    }
  }

  /** Under the lock, so that no credit given meanwhile counts twice or not at all. */
  private synchronized void subscribe(ClientConnection on, int partition, String reduceAttempt) {
    subscribed = true;
    on.send(
        new Frame.Subscribe(id, job, partition, reduceAttempt, available, settings.chunkBytes()));
  }

  /** Ends what {@link #want} or the constructor asked of a partition. */
  void unwant(int partition) {
    ClientConnection on;
    synchronized (this) {
      wanted.remove(partition);
      on = connection;
    }
    if (on != null) {
      on.run(() -> abandon(on, partition));
    }
  }

  private void abandon(ClientConnection on, int partition) {
    synchronized (this) {
      if (on != connection || on.ended()) {
        return;
      }
    }
    // also if it is wanted again: the node is asked for it after this
    for (Incoming segment : incoming.values()) {
      segment.abandoned |= segment.info.key().partition() == partition;
    }
    if (on.version() > 1) {
      on.send(new Frame.Unwant(id, partition));
    }
  }

  private synchronized boolean wants(int partition) {
    return wanted.containsKey(partition);
  }

  void connect() {
    synchronized (this) {
      if (closed) {
        return;
      }
    }
    Outcome.handle(
        pool.acquire(),
        "Asking a node",
        (on, failure) -> {
          if (failure != null) {
            lost(AddressPool.unwrap(failure));
          } else {
            on.attach(this);
          }
        });
  }

  @Override
  public synchronized void credit(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a credit of " + bytes + " bytes");
    }
    available += bytes;
    if (connection != null) {
      ClientConnection on = connection;
      int stream = id;
      on.run(
          () -> {
            if (!on.ended()) {
              on.send(new Frame.Credit(stream, bytes));
            }
          });
    }
  }

  @Override
  public synchronized long available() {
    return available;
  }

  @Override
  public void close() {
    ClientConnection on;
    synchronized (this) {
      closed = true;
      on = connection;
      retry.run();
    }
    if (on != null) {
      on.run(() -> on.cancel(this));
    }
  }

  @Override
  public String job() {
    return job;
  }

  @Override
  public boolean isStanding() {
    return true;
  }

  @Override
  public void start(ClientConnection on, int stream) {
    boolean open;
    List<Integer> others = new ArrayList<>();
    synchronized (this) {
      id = stream;
      open = !closed;
      if (open) {
        connection = on;
        pause = settings.patience().reconnectMin();
        subscribed = false;
        for (Map.Entry<Integer, String> each : wanted.entrySet()) {
          int partition = each.getKey();
          if (!subscribed) {
            subscribe(on, partition, each.getValue());
          } else if (on.version() > 1) {
            on.send(new Frame.Want(stream, partition, each.getValue()));
          } else {
            others.add(partition);
          }
        }
      }
    }
    if (!open) {
      on.detach(this);
    } else if (!others.isEmpty()) {
      alone.accept(others);
    }
  }

  @Override
  public void segment(Frame.Segment segment) {
    if (isClosed()) {
      return;
    }
    SegmentInfo info =
        new SegmentInfo(
            new SegmentKey(job, segment.mapAttempt(), segment.partition()),
            segment.rawLength(),
            segment.partLength(),
            segment.identity(),
            segment.flags());
    if (incoming.containsKey(segment.segment())) {
      connection.violated("an offer of a segment that is under way: " + info.key());
      return;
    }
    // What was wanted until a moment ago may still be offered.
    long from = wants(segment.partition()) ? receiver.offer(info) : PushReceiver.REFUSE;
    if (from < 0 || from > info.partLength()) {
      connection.send(new Frame.Refuse(id, segment.segment(), Reason.NOT_WANTED, ""));
    } else {
      incoming.put(segment.segment(), new Incoming(info, from));
      connection.send(new Frame.Accept(id, segment.segment(), from));
    }
  }

  @Override
  public void chunk(Frame.Chunk chunk) {
    int length = chunk.data().readableBytes();
    boolean overdrawn;
    synchronized (this) {
      if (closed) {
        return;
      }
      available -= length;
      overdrawn = available < 0;
    }
    Incoming segment = incoming.get(chunk.segment());
    if (overdrawn || segment == null) {
      giveBack(length);
      connection.violated("pushed data that was not asked for");
      return;
    }
    ByteBuffer data = chunk.data().nioBuffer();
    if (chunk.offset() != segment.verified
        || length > segment.info.partLength() - segment.verified
        || segment.checksum.of(chunk.offset(), data.duplicate()) != chunk.checksum()) {
      giveBack(length);
      // The server goes on with this segment; only a new connection is sure to be in step.
      connection.violated(
          "a chunk of " + segment.info.key() + " does not fit its checksum or its place");
      return;
    }
    segment.verified += length;
    if (segment.abandoned) {
      credit(length);
    } else {
      receiver.chunk(segment.info, chunk.offset(), data);
    }
  }

  /** The receiver never sees the bytes, so it would not return the credit they cost. */
  private synchronized void giveBack(int length) {
    available += length;
  }

  @Override
  public void end(Frame.End end) {
    if (isClosed()) {
      return;
    }
    Incoming segment = incoming.remove(end.segment());
    if (segment == null || segment.verified != segment.info.partLength()) {
      if (segment != null) {
        incoming.put(end.segment(), segment);
      }
      connection.violated("an end of a pushed segment before all of it came");
      return;
    }
    if (!segment.abandoned) {
      receiver.complete(segment.info);
    }
  }

  @Override
  public void nack(Frame.Nack nack) {
    ShuffleException why =
        new ShuffleException(nack.reason(), "the server ends it: " + nack.text());
    if (nack.segment() == Frame.WHOLE_STREAM) {
      connection.detach(this);
      lost(why);
      return;
    }
    Incoming segment = incoming.remove(nack.segment());
    if (segment != null && !segment.abandoned && !isClosed()) {
      receiver.failed(segment.info, why);
    }
  }

  @Override
  public void lost(ShuffleException why) {
    List<Incoming> broken = new ArrayList<>(incoming.values());
    incoming.clear();
    boolean again = why.reason().retriable();
    synchronized (this) {
      if (connection != null && why.reason() == Reason.BUSY) {
        // Its idle connection made room for another one. What it misses can be fetched.
        pause = settings.patience().reconnectMax();
      }
      connection = null;
      if (closed) {
        return;
      }
      closed = !again;
    }
    broken.removeIf(segment -> segment.abandoned);
    broken.forEach(segment -> receiver.failed(segment.info, why));
    if (!again) {
      receiver.ended(why);
      return;
    }
    receiver.disconnected(why);
    synchronized (this) {
      if (!closed) {
        // Spread, as all peers of a server that restarts would come back at once.
        retry =
            scheduler.after(pause / 2 + ThreadLocalRandom.current().nextLong(pause), this::connect);
        pause = Math.min(pause * 2, settings.patience().reconnectMax());
      }
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }
}
