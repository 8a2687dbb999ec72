// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.wire.Frame;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the data of one connection's streams: one chunk of each in turn, as far as its credit, the
 * connection's and the server's memory go. A chunk is read and summed by the readers, or by its
 * disk; all else happens on the event loop. A stream without credit takes no turn and no memory,
 * nor does one whose disk has its share of the memory: others' memory is not held by a disk that
 * hangs.
 */
final class ChunkSender implements MemoryBudget.Waiter {

  private static final Logger LOG = LoggerFactory.getLogger(ChunkSender.class);

  private final ChannelHandlerContext ctx;
  private final SegmentSource source;
  private final PieceReader reader;
  private final MemoryBudget budget;
  private final DiskShare disks;
  private final long most;
  private final Consumer<OutStream> streamOver;

  private final ArrayDeque<OutStream> round = new ArrayDeque<>();
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
    this.budget = budget;
    this.disks = new DiskShare(most);
    this.most = most;
    this.streamOver = streamOver;
    this.reader =
        new PieceReader(
            ctx,
            source,
            readers,
            this::finished,
            piece -> {
              budget.read(piece.disk, piece.reserved);
              budget.give(piece.reserved);
            });
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
      reader.close(transfer);
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

  @Override
  public void wake(String disk) {
    Loops.run(
        ctx,
        () -> {
          unpark(disk);
          pump();
        });
  }

  private void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    boolean waits = false;
    try {
      while (!waits && !round.isEmpty()) {
        waits = !turn(round.peek());
      }
      if (!waits) {
        budget.leave(this);
      }
    } finally {
      pumping = false;
    }
    reader.submit();
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
    } else {
      return read(stream, transfer);
    }
    return true;
  }

  private boolean read(OutStream stream, Transfer transfer) {
    String disk = transfer.segment.waitsFor(transfer.position);
    long left = transfer.end - transfer.position;
    int length = (int) Math.min(stream.chunkSize, Math.min(stream.credit, left));
    if (!disks.may(disk, length)) {
      leaveRound(stream);
      park(stream, disk);
      return true;
    }
    if (held > 0 && held + length > most) {
      budget.leave(this);
      return false;
    }
    switch (budget.take(length, disk, this)) {
      case TAKEN -> {
        leaveRound(stream);
        begin(stream, transfer, disk, length);
        return true;
      }
      case DISK_BUSY -> {
        leaveRound(stream);
        park(stream, disk);
        return true;
      }
      default -> {
        return false;
      }
    }
  }

  /** Opens the segment, and reads its first chunk with it if there is memory for that now. */
  private void open(OutStream stream, Transfer transfer) {
    String disk = source.waitsFor(transfer.key.job(), transfer.key.mapAttempt());
    int length = (int) Math.min(stream.chunkSize, Math.min(stream.credit, transfer.most()));
    boolean taken =
        length > 0
            && held + length <= most
            && disks.may(disk, length)
            && budget.tryTake(length, disk);
    begin(stream, transfer, disk, taken ? length : 0);
  }

  private void begin(OutStream stream, Transfer transfer, String disk, int length) {
    held += length;
    stream.credit -= length;
    disks.begin(disk, length);
    transfer.busy = true;
    reader.add(new Piece(stream, transfer, disk, length));
  }

  /** Sets a stream aside: enough waits for what it would have to wait for. */
  private void park(OutStream stream, String disk) {
    parked.computeIfAbsent(disk, name -> new ArrayDeque<>()).add(stream);
  }

  private void unpark(String disk) {
    ArrayDeque<OutStream> next = parked.remove(disk);
    if (next != null) {
      next.forEach(this::enterRound);
    }
  }

  private void leaveRound(OutStream stream) {
    round.poll();
    stream.queued = false;
  }

  /** A piece comes back from the readers. */
  private void finished(Piece piece) {
    OutStream stream = piece.stream;
    Transfer transfer = piece.transfer;
    transfer.busy = false;
    disks.end(piece.disk, piece.reserved);
    budget.read(piece.disk, piece.reserved);
    unpark(piece.disk);
    boolean isSent = piece.frame != null && !transfer.dropped && !stream.closed;
    int unused = isSent ? piece.reserved - piece.length : piece.reserved;
    // what the client does not see it can't give back
    stream.credit += unused;
    free(unused);
    if (transfer.dropped || stream.closed) {
      if (piece.frame != null) {
        piece.frame.release();
      }
      reader.close(transfer);
      ready(stream);
      return;
    }
    if (piece.failure != null) {
      nack(stream, transfer, piece.failure);
    } else {
      if (piece.opens) {
        stream.opened(transfer);
      }
      if (piece.frame != null) {
        int length = piece.length;
        transfer.position += length;
        ctx.writeAndFlush(piece.frame)
            .addListener(
                done -> {
                  free(length);
                  pump();
                });
      }
    }
    ready(stream);
  }

  private void free(int length) {
    held -= length;
    budget.give(length);
  }

  private void nack(OutStream stream, Transfer transfer, Throwable failure) {
    Reason reason = reason(failure);
    if (reason == Reason.IO_ERROR || failure instanceof LinkageError) {
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
}
