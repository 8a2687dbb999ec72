package org.mammoth.engine.shuffle.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.wire.ChunkFrames;
import org.mammoth.engine.shuffle.wire.Frame;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the data of one connection's streams: one chunk of each in turn, as far as its credit, the
 * connection's and the server's memory go. A chunk is read and summed by the readers; all else
 * happens on the event loop. A stream without credit takes no turn and no memory, nor does one
 * whose disk has enough to do for this connection: others' memory is not held by a disk that hangs.
 */
final class ChunkSender implements MemoryBudget.Waiter {

  private static final Logger LOG = LoggerFactory.getLogger(ChunkSender.class);

  private final ChannelHandlerContext ctx;
  private final SegmentSource source;

  /** Chunks of one connection that may wait for the same thing. */
  private static final int MOST_WAITING = 4;

  private final Readers readers;
  private final MemoryBudget budget;
  private final long most;
  private final Consumer<OutStream> streamOver;

  private final ArrayDeque<OutStream> round = new ArrayDeque<>();
  private final Map<String, Integer> waiting = new HashMap<>();
  private final Map<String, ArrayDeque<OutStream>> parked = new HashMap<>();
  private long held;
  private boolean pumping;

  /**
   * A sender of {@code ctx}'s channel.
   *
   * @param most bytes of data it may hold, unless a single chunk is larger
   * @param streamOver told when a stream has sent its last frame
   */
  ChunkSender(
      ChannelHandlerContext ctx,
      SegmentSource source,
      Readers readers,
      MemoryBudget budget,
      long most,
      Consumer<OutStream> streamOver) {
    this.ctx = ctx;
    this.source = source;
    this.readers = readers;
    this.budget = budget;
    this.most = most;
    this.streamOver = streamOver;
  }

  /** Something about the stream changed; it may be able to send. */
  void ready(OutStream stream) {
    enterRound(stream);
    pump();
  }

  /** As {@link #ready(OutStream)}, for many at once. */
  void ready(List<OutStream> streams) {
    streams.forEach(this::enterRound);
    pump();
  }

  private void enterRound(OutStream stream) {
    if (!stream.queued && !stream.closed) {
      stream.queued = true;
      round.add(stream);
    }
  }

  /** Frees what a transfer holds, now or when the readers are done with it. */
  void drop(Transfer transfer) {
    transfer.dropped = true;
    if (!transfer.busy) {
      closeSegment(transfer);
    }
  }

  /** The connection is gone. */
  void close() {
    round.clear();
    parked.clear();
    budget.leave(this);
  }

  @Override
  public void wake() {
    if (!Loops.run(ctx, this::pump)) {
      budget.leave(this);
    }
  }

  private void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      while (!round.isEmpty()) {
        if (!turn(round.peek())) {
          return;
        }
      }
      budget.leave(this);
    } finally {
      pumping = false;
    }
  }

  /** Gives the first stream its turn. Returns false if the whole round must wait. */
  private boolean turn(OutStream stream) {
    Transfer transfer = stream.closed ? null : stream.current();
    if (transfer == null || transfer.busy) {
      leaveRound(stream);
    } else if (transfer.segment == null) {
      leaveRound(stream);
      open(stream, transfer);
    } else if (transfer.position == transfer.end) {
      leaveRound(stream);
      ctx.writeAndFlush(new Frame.End(stream.id, transfer.number, transfer.end));
      over(stream, transfer);
    } else if (stream.credit == 0) {
      leaveRound(stream);
    } else if (isParked(stream, transfer)) {
      leaveRound(stream);
    } else {
      long left = transfer.end - transfer.position;
      int length = (int) Math.min(stream.chunkSize, Math.min(stream.credit, left));
      if (held > 0 && held + length > most) {
        budget.leave(this);
        return false;
      }
      if (!budget.take(length, this)) {
        return false;
      }
      leaveRound(stream);
      held += length;
      stream.credit -= length;
      read(stream, transfer, length);
    }
    return true;
  }

  /** Sets a stream aside if enough chunks wait for what it would have to wait for. */
  private boolean isParked(OutStream stream, Transfer transfer) {
    String waitsFor = transfer.segment.waitsFor(transfer.position);
    if (waiting.getOrDefault(waitsFor, 0) < MOST_WAITING) {
      return false;
    }
    parked.computeIfAbsent(waitsFor, name -> new ArrayDeque<>()).add(stream);
    return true;
  }

  private void leaveRound(OutStream stream) {
    round.poll();
    stream.queued = false;
  }

  private void open(OutStream stream, Transfer transfer) {
    transfer.busy = true;
    try {
      readers.execute(
          source.waitsFor(transfer.key.job(), transfer.key.mapAttempt()),
          () -> {
            Segment segment = null;
            Throwable failure = null;
            try {
              segment =
                  source.find(
                      transfer.key.job(), transfer.key.mapAttempt(), transfer.key.partition());
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
              failure = e;
            }
            Segment found = segment;
            Throwable why = failure;
            if (!Loops.run(ctx, () -> opened(stream, transfer, found, why)) && found != null) {
              closeQuietly(found);
            }
          });
    } catch (RejectedExecutionException e) {
      opened(stream, transfer, null, e);
    }
  }

  private void opened(OutStream stream, Transfer transfer, Segment segment, Throwable failure) {
    transfer.busy = false;
    if (transfer.dropped || stream.closed) {
      transfer.segment = segment;
      closeSegment(transfer);
      return;
    }
    if (failure == null && segment == null) {
      failure = new SegmentUnavailableException(Reason.NO_SUCH_OUTPUT, "no " + transfer.key);
    }
    if (failure == null) {
      try {
        transfer.begin(segment);
        stream.opened(transfer);
      } catch (SegmentUnavailableException e) {
        failure = e;
      }
    }
    if (failure != null) {
      nack(stream, transfer, failure);
    }
    ready(stream);
  }

  private void read(OutStream stream, Transfer transfer, int length) {
    transfer.busy = true;
    String waitsFor = transfer.segment.waitsFor(transfer.position);
    waiting.merge(waitsFor, 1, Integer::sum);
    try {
      readers.execute(
          waitsFor,
          () -> {
            ByteBuf frame = null;
            Throwable failure = null;
            try {
              frame =
                  ChunkFrames.build(
                      ctx.alloc(),
                      stream.id,
                      transfer.number,
                      transfer.position,
                      length,
                      transfer.checksum,
                      into -> fill(transfer, into));
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
              failure = e;
            }
            ByteBuf built = frame;
            Throwable why = failure;
            if (!Loops.run(ctx, () -> read(stream, transfer, waitsFor, length, built, why))) {
              if (built != null) {
                built.release();
              }
              budget.give(length);
              closeQuietly(transfer.segment);
            }
          });
    } catch (RejectedExecutionException e) {
      read(stream, transfer, waitsFor, length, null, e);
    }
  }

  /** One chunk less waits; what was parked for it takes turns again. */
  private void waitsNoMore(String waitsFor) {
    waiting.computeIfPresent(waitsFor, (name, count) -> count == 1 ? null : count - 1);
    ArrayDeque<OutStream> next = parked.remove(waitsFor);
    if (next != null) {
      for (OutStream stream : next) {
        enterRound(stream);
      }
    }
  }

  private static void fill(Transfer transfer, ByteBuffer into) throws IOException {
    long at = transfer.position;
    while (into.hasRemaining()) {
      int before = into.position();
      transfer.segment.read(at, into);
      if (into.position() <= before) {
        throw new IOException(transfer.key + " gave no bytes at offset " + at);
      }
      at += into.position() - before;
    }
  }

  private void read(
      OutStream stream,
      Transfer transfer,
      String waitsFor,
      int length,
      ByteBuf frame,
      Throwable failure) {
    transfer.busy = false;
    waitsNoMore(waitsFor);
    if (transfer.dropped || stream.closed) {
      if (frame != null) {
        frame.release();
      }
      closeSegment(transfer);
      sent(length);
      return;
    }
    if (failure != null) {
      nack(stream, transfer, failure);
      sent(length);
    } else {
      transfer.position += length;
      ctx.writeAndFlush(frame).addListener(done -> sent(length));
    }
    ready(stream);
  }

  private void sent(int length) {
    held -= length;
    budget.give(length);
    pump();
  }

  private void nack(OutStream stream, Transfer transfer, Throwable failure) {
    Reason reason = reason(failure);
    if (reason == Reason.IO_ERROR) {
      LOG.warn("Could not read {} for {}", transfer.key, ctx.channel().remoteAddress(), failure);
    }
    String text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    int number = stream instanceof FetchStream ? Frame.WHOLE_STREAM : transfer.number;
    ctx.writeAndFlush(new Frame.Nack(stream.id, number, reason, text));
    over(stream, transfer);
  }

  private static Reason reason(Throwable failure) {
    if (failure instanceof SegmentUnavailableException unavailable) {
      return unavailable.reason();
    }
    boolean full = failure instanceof RejectedExecutionException || failure instanceof Error;
    return full ? Reason.BUSY : Reason.IO_ERROR;
  }

  private void over(OutStream stream, Transfer transfer) {
    boolean all = stream.over(transfer);
    drop(transfer);
    if (all) {
      streamOver.accept(stream);
    } else {
      ready(stream);
    }
  }

  private void closeSegment(Transfer transfer) {
    Segment segment = transfer.segment;
    transfer.segment = null;
    if (segment == null) {
      return;
    }
    try {
      readers.execute(segment.waitsFor(transfer.position), () -> closeQuietly(segment));
    } catch (RejectedExecutionException e) {
      closeQuietly(segment);
    }
  }

  private static void closeQuietly(Segment segment) {
    try {
      segment.close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("A segment could not be closed", e);
    }
  }
}
