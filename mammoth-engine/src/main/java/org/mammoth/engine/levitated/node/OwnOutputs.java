// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.node;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.mammoth.engine.levitated.RangeReader;
import org.mammoth.engine.levitated.RangeRequest;
import org.mammoth.engine.shuffle.MergeList;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.SegmentSource;
import org.mammoth.engine.shuffle.server.SegmentUnavailableException;

/**
 * Reads ranges of the node's own map outputs for a merge of them, as they are read for other nodes:
 * from memory or in the disks' turns. Unlike other readers it may wait, where a range can only be
 * read by a thread that does. Any thread.
 */
final class OwnOutputs implements RangeReader {

  private final SegmentSource source;
  private final MergeList list;
  private final int[] parts;

  /**
   * Reads outputs of a list.
   *
   * @param parts which part of the list each segment of the merge is
   */
  OwnOutputs(SegmentSource source, MergeList list, int[] parts) {
    this.source = source;
    this.list = list;
    this.parts = parts;
  }

  /**
   * Opens a part of a list.
   *
   * @throws SegmentUnavailableException if it is not there, or not what the list says
   */
  static Segment open(SegmentSource source, MergeList list, int part) throws IOException {
    MergeList.Part wanted = list.parts().get(part);
    Segment segment = source.find(list.job(), wanted.attempt(), list.partition());
    if (segment == null) {
      throw new SegmentUnavailableException(
          Reason.NO_SUCH_OUTPUT, "this node has no output of " + wanted.attempt());
    }
    if (wanted.identity() != 0 && segment.identity() != wanted.identity()) {
      segment.close();
      throw new SegmentUnavailableException(
          Reason.CHANGED, wanted.attempt() + " is no longer what the list of the merge says");
    }
    return segment;
  }

  @Override
  public void read(List<RangeRequest> requests) {
    for (RangeRequest request : requests) {
      try {
        read(request);
      } catch (IOException | RuntimeException e) {
        request.done().accept(e);
      }
    }
  }

  private void read(RangeRequest request) throws IOException {
    Segment segment = open(source, list, parts[request.segment()]);
    ByteBuffer into = request.into();
    boolean begun = false;
    try {
      segment.readsTo(request.offset() + into.remaining());
      Consumer<IOException> end = failure -> ended(request, closed(segment, failure));
      Segment.Reading reading =
          segment.blocks()
              ? Segment.Reading.BLOCKING
              : segment.readLater(request.offset(), into.duplicate(), end);
      begun = reading == Segment.Reading.BEGUN;
      if (reading == Segment.Reading.BLOCKING) {
        fill(segment, request.offset(), into.duplicate());
      }
    } finally {
      if (!begun) {
        segment.close();
      }
    }
    if (!begun) {
      ended(request, null);
    }
  }

  private static void ended(RangeRequest request, IOException failure) {
    if (failure == null) {
      request.into().position(request.into().limit());
    }
    request.done().accept(failure);
  }

  private static void fill(Segment segment, long offset, ByteBuffer into) throws IOException {
    long at = offset;
    while (into.hasRemaining()) {
      int before = into.position();
      segment.read(at, into);
      if (into.position() <= before) {
        throw new EOFException("no bytes at offset " + at);
      }
      at += into.position() - before;
    }
  }

  private static IOException closed(Segment segment, IOException failure) {
    try {
      segment.close();
      return failure;
    } catch (IOException e) {
      return failure == null ? e : failure;
    }
  }
}
