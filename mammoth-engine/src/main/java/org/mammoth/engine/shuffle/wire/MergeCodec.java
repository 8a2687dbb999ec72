// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.wire;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.mammoth.engine.shuffle.MergeList;

/** The fields of MERGE: what the merge is called, how long its list is, and a piece of it. */
public final class MergeCodec {

  /** Everything but the parts, at most. */
  private static final int HEAD_BYTES = 1 + 4 + 2 * (2 + Wire.MAX_NAME) + 4 + 1 + 4 + 4 + 2 + 4;

  /** A part without its attempt's name. */
  private static final int PART_BYTES = 2 + 8;

  private MergeCodec() {}

  /** Cuts a list into frames that are not too long. */
  public static List<Frame.Merge> frames(int stream, MergeList list) {
    List<Frame.Merge> frames = new ArrayList<>();
    List<MergeList.Part> next = new ArrayList<>();
    int first = 0;
    int bytes = HEAD_BYTES;
    for (MergeList.Part part : list.parts()) {
      int more = PART_BYTES + part.attempt().length();
      if (next.size() == Wire.MAX_MERGE_PARTS || bytes + more > Wire.MAX_RANGES_BYTES) {
        frames.add(frame(stream, list, first, next));
        first += next.size();
        next.clear();
        bytes = HEAD_BYTES;
      }
      next.add(part);
      bytes += more;
    }
    frames.add(frame(stream, list, first, next));
    return frames;
  }

  private static Frame.Merge frame(
      int stream, MergeList list, int first, List<MergeList.Part> parts) {
    return new Frame.Merge(
        stream,
        list.parts().size(),
        first,
        new MergeList(list.job(), list.name(), list.partition(), list.order(), parts));
  }

  static void write(Frame.Merge frame, ByteBuf out) {
    MergeList piece = frame.piece();
    FrameEncoder.name(FrameEncoder.name(out.writeInt(frame.stream()), piece.job()), piece.name());
    out.writeInt(piece.partition()).writeByte(piece.order());
    out.writeInt(frame.total()).writeInt(frame.first()).writeShort(piece.parts().size());
    for (MergeList.Part part : piece.parts()) {
      FrameEncoder.name(out, part.attempt()).writeLong(part.identity());
    }
  }

  static Frame.Merge read(ByteBuf in) {
    int stream = FrameFields.stream(in);
    String job = FrameFields.name(in);
    String name = FrameFields.name(in);
    int partition = FrameFields.count(in);
    int order = in.readUnsignedByte();
    int total = FrameFields.count(in);
    int first = FrameFields.count(in);
    int count = in.readUnsignedShort();
    if (total < 1 || total > Wire.MAX_MERGED) {
      throw new ProtocolException(
          "a merge of " + total + " outputs; allowed: 1 .. " + Wire.MAX_MERGED);
    }
    if (count < 1 || count > Wire.MAX_MERGE_PARTS || count > total - first) {
      throw new ProtocolException(
          count + " outputs from " + first + " on in a list of " + total + " for a merge");
    }
    List<MergeList.Part> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(new MergeList.Part(FrameFields.name(in), in.readLong()));
    }
    return new Frame.Merge(stream, total, first, new MergeList(job, name, partition, order, parts));
  }
}
