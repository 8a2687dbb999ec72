// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.mammoth.engine.shuffle.FetchException;
import org.mammoth.engine.shuffle.MergeList;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.Scheduler;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.SegmentKey;
import org.mammoth.engine.shuffle.ShuffleException;
import org.mammoth.engine.shuffle.wire.ChunkChecksum;
import org.mammoth.engine.shuffle.wire.Frame;
import org.mammoth.engine.shuffle.wire.MergeCodec;
import org.mammoth.engine.shuffle.wire.Wire;

/**
 * One fetch. Its state changes on the connection's event loop, once it has one.
 *
 * <p>A fetch that is quiet for half of its patience asks the server for a sign of life. At the end
 * of its patience it fails; if there was no such sign, so does the connection, which would
 * otherwise be given to the next try.
 */
final class FetchCall implements Fetch, ClientStream {

  private final FetchRequest request;

  /** The merge that is asked for, whose description is all that comes; null for a range. */
  private final MergeList merge;

  private final FetchSink sink;
  private final ClientSettings settings;
  private final Scheduler scheduler;
  private final SocketAddress peer;
  private final CompletableFuture<SegmentInfo> future = new CompletableFuture<>();
  private final ChunkChecksum checksum;

  private volatile long verified;
  private volatile long lastProgress;

  /** Its connection, before the job is authenticated on it and after. */
  private volatile ClientConnection carrier;

  /** Its connection, once the request was sent. */
  private volatile ClientConnection connection;

  private volatile boolean done;
  private int id;
  private SegmentInfo info;

  /** The number under which the server sends the segment; all chunks bear it. */
  private int number;

  private long end;
  private long outstanding;
  private long granted;
  private long taken;
  private boolean asked;
  private long progressWhenAsked;
  private long heardWhenAsked;
  private Runnable timer = () -> {};

  FetchCall(
      SocketAddress peer,
      FetchRequest request,
      FetchSink sink,
      ClientSettings settings,
      Scheduler scheduler) {
    this(peer, request, null, sink, settings, scheduler);
  }

  FetchCall(
      SocketAddress peer,
      FetchRequest request,
      MergeList merge,
      FetchSink sink,
      ClientSettings settings,
      Scheduler scheduler) {
    this.peer = peer;
    this.request = request;
    this.merge = merge;
    this.sink = sink;
    this.settings = settings;
    this.scheduler = scheduler;
    this.verified = request.offset();
    this.granted =
        request.manualCredit() ? 0 : Math.min(settings.windowBytes(), request.maxBytes());
    this.checksum = new ChunkChecksum(request.key().bytes());
    this.lastProgress = scheduler.nanoTime();
    watch(halfPatience());
  }

  private long halfPatience() {
    return Math.max(1, settings.patience().fetch() / 2);
  }

  private void watch(long delayMs) {
    Runnable next = scheduler.after(delayMs, this::look);
    synchronized (this) {
      timer = next;
    }
    if (done) {
      next.run();
    }
  }

  private void look() {
    if (!done) {
      onLoop(this::lookOnLoop);
    }
  }

  /** Fails the fetch if nothing came for too long though something could have. */
  private void lookOnLoop() {
    if (done) {
      return;
    }
    if (info != null && outstanding == 0 && verified < end) {
      // The reader is not ready for more.
      watch(halfPatience());
      return;
    }
    ClientConnection on = carrier;
    long patience = settings.patience().fetch();
    long quietMs = TimeUnit.NANOSECONDS.toMillis(scheduler.nanoTime() - lastProgress);
    boolean wasAsked = on == null || asked && progressWhenAsked == lastProgress;
    if (quietMs < halfPatience()) {
      watch(halfPatience() - quietMs);
    } else if (!wasAsked) {
      asked = true;
      progressWhenAsked = lastProgress;
      heardWhenAsked = on.heard();
      on.ping();
      // Also when it is late already: the answer may lie unread because this process was stopped.
      watch(Math.max(halfPatience(), patience - quietMs));
    } else if (quietMs < patience) {
      watch(patience - quietMs);
    } else {
      expire(on, quietMs);
    }
  }

  private void expire(ClientConnection on, long quietMs) {
    String setBy = " ms; mammoth.shuffle.fetch.timeout-ms sets how long to wait";
    if (asked && on.heard() == heardWhenAsked) {
      on.finish(
          new ShuffleException(
              Reason.TIMEOUT,
              on.peer() + " is silent, a fetch waited for it for " + quietMs + setBy));
    }
    finish(new ShuffleException(Reason.TIMEOUT, "nothing came for " + quietMs + setBy));
  }

  private void onLoop(Runnable task) {
    ClientConnection on = carrier;
    if (on == null || !on.run(task)) {
      task.run();
    }
  }

  @Override
  public CompletableFuture<SegmentInfo> future() {
    return future;
  }

  @Override
  public long verifiedOffset() {
    return verified;
  }

  @Override
  public synchronized void credit(long bytes) {
    if (!request.manualCredit() || bytes < 1) {
      throw new IllegalArgumentException("credit of " + bytes + " for a fetch that needs none");
    }
    if (connection == null) {
      granted += bytes;
    } else {
      connection.run(
          () -> {
            if (!done) {
              lastProgress = scheduler.nanoTime();
              outstanding += bytes;
              connection.send(new Frame.Credit(id, bytes));
            }
          });
    }
  }

  @Override
  public void cancel() {
    onLoop(() -> finish(new ShuffleException(Reason.CANCELLED, "the reader ended it")));
  }

  boolean done() {
    return done;
  }

  @Override
  public String job() {
    return request.key().job();
  }

  @Override
  public void attached(ClientConnection on) {
    carrier = on;
    if (done) {
      on.detach(this);
    }
  }

  @Override
  public void start(ClientConnection on, int stream) {
    synchronized (this) {
      id = stream;
      outstanding = granted;
      connection = on;
    }
    if (done) {
      on.detach(this);
      return;
    }
    if (merge != null) {
      askFor(merge, on, stream);
      return;
    }
    SegmentKey key = request.key();
    on.ask(
        new Frame.Fetch(
            stream,
            key.job(),
            key.mapAttempt(),
            key.partition(),
            request.offset(),
            request.maxBytes(),
            outstanding,
            settings.chunkBytes(),
            request.identity()));
  }

  private void askFor(MergeList list, ClientConnection on, int stream) {
    if (on.version() < Wire.MERGE_VERSION) {
      on.detach(this);
      finish(new ShuffleException(Reason.VERSION, peer + " merges nothing: it is too old"));
    } else {
      MergeCodec.frames(stream, list).forEach(on::send);
    }
  }

  @Override
  public void segment(Frame.Segment segment) {
    SegmentKey key = request.key();
    if (info != null
        || !segment.mapAttempt().equals(key.mapAttempt())
        || segment.partition() != key.partition()
        || segment.partLength() < request.offset()) {
      connection.violated("an answer that does not fit its request for " + key);
      return;
    }
    number = segment.segment();
    info =
        new SegmentInfo(
            key, segment.rawLength(), segment.partLength(), segment.identity(), segment.flags());
    end = request.offset() + Math.min(request.maxBytes(), info.partLength() - request.offset());
    lastProgress = scheduler.nanoTime();
    try {
      sink.opened(info);
    } catch (RuntimeException e) {
      finish(new ShuffleException(Reason.LOCAL, "the reader failed: " + e.getMessage(), e));
    }
  }

  @Override
  public void chunk(Frame.Chunk chunk) {
    int length = chunk.data().readableBytes();
    if (info == null || length > outstanding) {
      connection.violated("data of " + request.key() + " that was not asked for");
      return;
    }
    outstanding -= length;
    ByteBuffer data = chunk.data().nioBuffer();
    if (chunk.segment() != number
        || chunk.offset() != verified
        || length > end - verified
        || checksum.of(chunk.offset(), data.duplicate()) != chunk.checksum()) {
      finish(
          new ShuffleException(
              Reason.CORRUPT,
              "the chunk at offset " + chunk.offset() + " does not fit its checksum or its place"));
      return;
    }
    try {
      sink.chunk(chunk.offset(), data);
    } catch (IOException | RuntimeException e) {
      finish(new ShuffleException(Reason.LOCAL, "the reader failed: " + e.getMessage(), e));
      return;
    }
    verified += length;
    lastProgress = scheduler.nanoTime();
    if (!request.manualCredit()) {
      refill(length);
    }
  }

  /** Returns credit in pieces of half a window, and only what the range still needs. */
  private void refill(int length) {
    taken += length;
    long needed = end - verified - outstanding;
    if (needed > 0 && taken * 2 >= settings.windowBytes()) {
      long more = Math.min(taken, needed);
      taken = 0;
      outstanding += more;
      connection.send(new Frame.Credit(id, more));
    }
  }

  @Override
  public void end(Frame.End frame) {
    if (info == null || frame.offset() != end || verified != end) {
      connection.violated("an end of " + request.key() + " before all of it came");
      return;
    }
    finish(null);
  }

  @Override
  public void nack(Frame.Nack nack) {
    finish(new ShuffleException(nack.reason(), "the server refuses: " + nack.text()));
  }

  @Override
  public void lost(ShuffleException why) {
    finish(why);
  }

  private void finish(ShuffleException why) {
    Runnable stop;
    synchronized (this) {
      if (done) {
        return;
      }
      done = true;
      stop = timer;
    }
    stop.run();
    ClientConnection on = carrier;
    if (on != null && why == null) {
      on.detach(this);
    } else if (on != null) {
      on.run(() -> on.cancel(this));
    }
    if (why == null) {
      future.complete(info);
    } else {
      future.completeExceptionally(new FetchException(why, peer, request.key(), verified));
    }
  }
}
