// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.wire;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * The fields of FETCH_RANGES: job and chunk size once, then how many ranges, then each. A map
 * attempt that is the last range's goes without its name.
 */
public final class RangesCodec {

  /** Type, job, chunk size, count and checksum, at most. */
  private static final int HEAD_BYTES = 1 + 2 + Wire.MAX_NAME + 4 + 2 + 4;

  /** A range without its attempt's name. */
  private static final int RANGE_BYTES = 4 + 2 + 4 + 4 * 8;

  private RangesCodec() {}

  /**
   * Cuts requests of one job and chunk size into frames that are not too long.
   *
   * @param ranges at least one
   */
  public static List<Frame.FetchRanges> frames(List<Frame.Fetch> ranges) {
    List<Frame.FetchRanges> frames = new ArrayList<>();
    List<Frame.Fetch> next = new ArrayList<>();
    int bytes = HEAD_BYTES;
    for (Frame.Fetch range : ranges) {
      // A name is ASCII: any other is refused by the other side, whatever its length.
      int more = RANGE_BYTES + range.mapAttempt().length();
      if (!next.isEmpty()
          && (next.size() == Wire.MAX_RANGES || bytes + more > Wire.MAX_RANGES_BYTES)) {
        frames.add(new Frame.FetchRanges(next));
        next.clear();
        bytes = HEAD_BYTES;
      }
      next.add(range);
      bytes += more;
    }
    frames.add(new Frame.FetchRanges(next));
    return frames;
  }

  static void write(Frame.FetchRanges frame, ByteBuf out) {
    FrameEncoder.name(out, frame.job()).writeInt(frame.chunkSize());
    out.writeShort(frame.ranges().size());
    String last = "";
    for (Frame.Fetch range : frame.ranges()) {
      boolean same = range.mapAttempt().equals(last);
      last = range.mapAttempt();
      FrameEncoder.name(out.writeInt(range.stream()), same ? "" : last);
      out.writeInt(range.partition()).writeLong(range.offset()).writeLong(range.maxBytes());
      out.writeLong(range.credit()).writeLong(range.identity());
    }
  }

  static Frame.FetchRanges read(ByteBuf in) {
    String job = FrameFields.name(in);
    int chunkSize = FrameFields.chunkSize(in);
    int count = in.readUnsignedShort();
    if (count < 1 || count > Wire.MAX_RANGES) {
      throw new ProtocolException(count + " ranges in one frame; allowed: 1 .. " + Wire.MAX_RANGES);
    }
    List<Frame.Fetch> ranges = new ArrayList<>();
    String attempt = null;
    for (int i = 0; i < count; i++) {
      int stream = FrameFields.stream(in);
      if (attempt != null && in.getUnsignedShort(in.readerIndex()) == 0) {
        in.skipBytes(2);
      } else {
        attempt = FrameFields.name(in);
      }
      ranges.add(
          new Frame.Fetch(
              stream,
              job,
              attempt,
              FrameFields.count(in),
              FrameFields.length(in),
              FrameFields.length(in),
              FrameFields.length(in),
              chunkSize,
              in.readLong()));
    }
    return new Frame.FetchRanges(ranges);
  }
}
