package org.mammoth.engine.shuffle.client;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.wire.ChunkChecksum;
import org.mammoth.engine.shuffle.wire.Frame;

/** One subscription, over as many connections as it takes, one after the other. */
final class SubscriptionCall implements Subscription, ClientStream {

  private static final class Incoming {
    private final SegmentInfo info;
    private final ChunkChecksum checksum;
    private long verified;

    private Incoming(SegmentInfo info, long verified) {
      this.info = info;
      this.verified = verified;
      this.checksum = new ChunkChecksum(info.key().bytes());
    }
  }

  private final AddressPool pool;
  private final String job;
  private final int partition;
  private final String reduceAttempt;
  private final PushReceiver receiver;
  private final ClientSettings settings;
  private final Scheduler scheduler;
  private final Map<Integer, Incoming> incoming = new HashMap<>();

  private long available;
  private ClientConnection connection;
  private int id;
  private boolean closed;
  private long pause;
  private Runnable retry = () -> {};

  SubscriptionCall(
      AddressPool pool,
      Frame.Subscribe wish,
      PushReceiver receiver,
      ClientSettings settings,
      Scheduler scheduler) {
    this.pool = pool;
    this.job = wish.job();
    this.partition = wish.partition();
    this.reduceAttempt = wish.reduceAttempt();
    this.available = wish.credit();
    this.receiver = receiver;
    this.settings = settings;
    this.scheduler = scheduler;
    this.pause = settings.patience().reconnectMin();
  }

  void connect() {
    synchronized (this) {
      if (closed) {
        return;
      }
    }
    pool.acquire()
        .whenComplete(
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
    boolean wanted;
    synchronized (this) {
      id = stream;
      wanted = !closed;
      if (wanted) {
        connection = on;
        pause = settings.patience().reconnectMin();
        // Under the lock, so that no credit given meanwhile counts twice or not at all.
        on.send(
            new Frame.Subscribe(
                stream, job, partition, reduceAttempt, available, settings.chunkBytes()));
      }
    }
    if (!wanted) {
      on.detach(this);
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
    if (segment.partition() != partition || incoming.containsKey(segment.segment())) {
      connection.violated("an offer that does not fit the subscription of partition " + partition);
      return;
    }
    long from = receiver.offer(info);
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
      connection.violated("data for partition " + partition + " that was not asked for");
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
    receiver.chunk(segment.info, chunk.offset(), data);
    segment.verified += length;
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
    receiver.complete(segment.info);
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
    if (segment != null && !isClosed()) {
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
