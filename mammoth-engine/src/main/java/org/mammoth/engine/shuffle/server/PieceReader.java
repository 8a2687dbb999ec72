// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.wire.ChunkFrames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the readers do one connection's pieces. What waits for nothing is done many at a time, so
 * that a small range costs a small part of a change of threads; what blocks gets a thread for
 * itself. Methods belong to the event loop; work is done by readers and by disks.
 */
final class PieceReader {

  private static final Logger LOG = LoggerFactory.getLogger(PieceReader.class);

  /** Work of one change of threads. */
  private static final int MOST_PIECES = 32;

  private static final int MOST_BYTES = 256 << 10;

  private final ChannelHandlerContext ctx;
  private final SegmentSource source;
  private final Readers readers;
  private final Consumer<Piece> finished;
  private final Consumer<Piece> abandoned;

  private List<Piece> quick = new ArrayList<>();
  private int quickBytes;

  /**
   * A reader of {@code ctx}'s channel.
   *
   * @param finished called on the event loop with each piece that was worked on
   * @param abandoned called instead, by any thread, when the event loop has ended
   */
  PieceReader(
      ChannelHandlerContext ctx,
      SegmentSource source,
      Readers readers,
      Consumer<Piece> finished,
      Consumer<Piece> abandoned) {
    this.ctx = ctx;
    this.source = source;
    this.readers = readers;
    this.finished = finished;
    this.abandoned = abandoned;
  }

  /** Takes a piece on; it may wait for {@link #submit}. */
  void add(Piece piece) {
    Segment segment = piece.transfer.segment;
    boolean blocks = segment != null && segment.blocks() && !piece.disk.equals(Readers.MEMORY);
    if (blocks || segment == null && !piece.disk.equals(Readers.MEMORY)) {
      execute(piece.disk, List.of(piece));
      return;
    }
    quick.add(piece);
    quickBytes += piece.reserved;
    if (quick.size() >= MOST_PIECES || quickBytes >= MOST_BYTES) {
      submit();
    }
  }

  /** Begins with all that was taken on. */
  void submit() {
    if (!quick.isEmpty()) {
      List<Piece> next = quick;
      quick = new ArrayList<>();
      quickBytes = 0;
      execute(Readers.MEMORY, next);
    }
  }

  private void execute(String lane, List<Piece> pieces) {
    try {
      readers.execute(lane, () -> work(lane, pieces));
    } catch (RejectedExecutionException e) {
      for (Piece piece : pieces) {
        piece.failure = e;
      }
      deliver(pieces);
    }
  }

  private void work(String lane, List<Piece> pieces) {
    List<Piece> ready = new ArrayList<>(pieces.size());
    for (Piece piece : pieces) {
      if (work(lane, piece)) {
        ready.add(piece);
      }
    }
    if (!ready.isEmpty()) {
      deliver(ready);
    }
  }

  /** Returns false if the piece goes on without its thread. */
  private boolean work(String lane, Piece piece) {
    try {
      Transfer transfer = piece.transfer;
      if (transfer.segment == null) {
        open(piece);
      }
      piece.length = (int) Math.min(piece.reserved, transfer.end - transfer.position);
      return piece.length == 0 || read(lane, piece);
    } catch (IOException | RuntimeException | Error e) {
      fail(piece, e);
      return true;
    }
  }

  private void open(Piece piece) throws IOException {
    Transfer transfer = piece.transfer;
    Segment found =
        source.find(transfer.key.job(), transfer.key.mapAttempt(), transfer.key.partition());
    if (found == null) {
      throw new SegmentUnavailableException(Reason.NO_SUCH_OUTPUT, "no " + transfer.key);
    }
    transfer.begin(found);
    piece.opens = true;
  }

  private boolean read(String lane, Piece piece) throws IOException {
    Transfer transfer = piece.transfer;
    Segment segment = transfer.segment;
    boolean wrongLane =
        piece.opens && segment.blocks() && !segment.waitsFor(transfer.position).equals(lane);
    if (wrongLane) {
      piece.length = 0;
      return true;
    }
    piece.frame = ChunkFrames.begin(ctx.alloc(), piece.length);
    ByteBuffer into = ChunkFrames.data(piece.frame, piece.length);
    Segment.Reading reading =
        segment.blocks()
            ? Segment.Reading.BLOCKING
            : segment.readLater(transfer.position, into, failure -> arrived(piece, failure));
    if (reading == Segment.Reading.BEGUN) {
      return false;
    }
    if (reading == Segment.Reading.BLOCKING) {
      fill(transfer, into);
    }
    complete(piece);
    return true;
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

  private void arrived(Piece piece, IOException failure) {
    try {
      if (failure == null) {
        complete(piece);
      } else {
        fail(piece, failure);
      }
    } catch (RuntimeException | Error e) {
      fail(piece, e);
    }
    deliver(List.of(piece));
  }

  /** The data is there. */
  private static void complete(Piece piece) {
    Transfer transfer = piece.transfer;
    ChunkFrames.end(
        piece.frame,
        piece.stream.id,
        transfer.number,
        transfer.position,
        piece.length,
        transfer.checksum());
    if (transfer.position + piece.length == transfer.end) {
      transfer.isClosed = true;
      closeQuietly(transfer.segment);
    }
  }

  private static void fail(Piece piece, Throwable why) {
    piece.failure = why;
    if (piece.frame != null) {
      piece.frame.release();
      piece.frame = null;
    }
  }

  private void deliver(List<Piece> pieces) {
    if (!Loops.run(ctx, () -> pieces.forEach(finished))) {
      for (Piece piece : pieces) {
        if (piece.frame != null) {
          piece.frame.release();
          piece.frame = null;
        }
        if (piece.transfer.segment != null && !piece.transfer.isClosed) {
          piece.transfer.isClosed = true;
          closeQuietly(piece.transfer.segment);
        }
        abandoned.accept(piece);
      }
    }
  }

  /** Closes the segment of a transfer that nobody works on, where that may wait for its disk. */
  void close(Transfer transfer) {
    Segment segment = transfer.segment;
    transfer.segment = null;
    if (segment == null || transfer.isClosed) {
      return;
    }
    transfer.isClosed = true;
    if (!segment.blocks()) {
      closeQuietly(segment);
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
