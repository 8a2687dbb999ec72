// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.wire;

import io.netty.buffer.ByteBuf;
import java.util.List;
import org.mammoth.engine.shuffle.MergeList;
import org.mammoth.engine.shuffle.Reason;

/**
 * One message of the protocol. Fields and sizes are described in docs/shuffle-protocol.md.
 * Immutable, except that a {@link Chunk} owns a reference of its data.
 */
public sealed interface Frame {

  /** Which side may send a kind of frame. */
  enum Sender {
    CLIENT,
    SERVER,
    BOTH
  }

  /** First frame of each side; the server's comes first. */
  record Hello(int minVersion, int maxVersion, long instance, Nonce nonce, int maxChunk)
      implements Frame {}

  /** The client proves that it holds a job's secret. */
  record Auth(String job, Proof proof) implements Frame {}

  /** The server proves the same. */
  record AuthOk(String job, Proof proof) implements Frame {}

  /** The server will not talk about a job on this connection. */
  record Deny(String job, Reason reason, String text) implements Frame {}

  /** Asks for all output for one partition to be offered, present and future. */
  record Subscribe(
      int stream, String job, int partition, String reduceAttempt, long credit, int chunkSize)
      implements Frame {}

  /** Has a subscription offer one partition more; from version 2 on. */
  record Want(int stream, int partition, String reduceAttempt) implements Frame {}

  /** Ends what {@link Want} or {@link Subscribe} asked of one partition; from version 2 on. */
  record Unwant(int stream, int partition) implements Frame {}

  /** Asks for a range of one segment; {@code identity} 0 takes any. */
  record Fetch(
      int stream,
      String job,
      String mapAttempt,
      int partition,
      long offset,
      long maxBytes,
      long credit,
      int chunkSize,
      long identity)
      implements Frame {}

  /**
   * Asks for many ranges of one job at once: each is a stream of its own, as if it had come in a
   * {@link Fetch}. Since version 2.
   *
   * @param ranges 1 to {@link Wire#MAX_RANGES}, of one job and one chunk size
   */
  record FetchRanges(List<Fetch> ranges) implements Frame {

    /** Checks that the ranges belong together. */
    public FetchRanges {
      ranges = List.copyOf(ranges);
      Fetch first = ranges.get(0);
      for (Fetch range : ranges) {
        if (!range.job.equals(first.job) || range.chunkSize != first.chunkSize) {
          throw new IllegalArgumentException("ranges of two jobs, or with two sizes of chunks");
        }
      }
    }

    /** The job of all of them. */
    public String job() {
      return ranges.get(0).job;
    }

    /** The largest chunk of any of them, in bytes. */
    public int chunkSize() {
      return ranges.get(0).chunkSize;
    }
  }

  /**
   * Asks for the merge of a list of outputs, or for the rest of a list that is longer than a frame;
   * answered as a {@link Fetch} of no bytes when the list is whole. Since version 3.
   *
   * @param total parts of the whole list
   * @param first where in the list this piece begins
   * @param piece with some of its parts
   */
  record Merge(int stream, int total, int first, MergeList piece) implements Frame {}

  /** A merge is not wanted any more. Since version 3. */
  record Unmerge(String job, String name, int partition) implements Frame {}

  /** Ends a stream from the client's side. */
  record Cancel(int stream) implements Frame {}

  /** Describes a segment: the head of a fetch, or the offer of a push. */
  record Segment(
      int stream,
      int segment,
      String mapAttempt,
      int partition,
      long rawLength,
      long partLength,
      long identity,
      int flags)
      implements Frame {}

  /** Takes an offered segment, from an offset on. */
  record Accept(int stream, int segment, long offset) implements Frame {}

  /** Declines an offered segment. */
  record Refuse(int stream, int segment, Reason reason, String text) implements Frame {}

  /** A piece of a segment with the checksum of {@link ChunkChecksum}. */
  record Chunk(int stream, int segment, long offset, int checksum, ByteBuf data) implements Frame {}

  /** Lets the server send that many more bytes of data on a stream. */
  record Credit(int stream, long bytes) implements Frame {}

  /** All that was asked of a segment was sent; {@code offset} is where it ends. */
  record End(int stream, int segment, long offset) implements Frame {}

  /**
   * The server will not send (the rest of) a segment. With {@link #WHOLE_STREAM} the stream is
   * over.
   */
  record Nack(int stream, int segment, Reason reason, String text) implements Frame {}

  /** The connection is of no use any more; the sender closes it. */
  record Error(Reason reason, String text) implements Frame {}

  /** Shows that the sender lives. */
  record Ping(long token) implements Frame {}

  /** Answers a ping. */
  record Pong(long token) implements Frame {}

  /** Segment number that stands for a whole stream. */
  int WHOLE_STREAM = -1;
}
