// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToByteEncoder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.mammoth.engine.shuffle.Reason;

/**
 * Writes all frames but chunks, which {@link ChunkFrames} builds and this passes on. Each carries a
 * CRC32C of its type and fields.
 */
public final class FrameEncoder extends MessageToByteEncoder<Frame> {

  @Override
  protected void encode(ChannelHandlerContext ctx, Frame frame, ByteBuf out) {
    try {
      encode(frame, out);
    } catch (RuntimeException | Error e) {
      // Nobody looks at the futures of single frames: the connection ends, else its peer would
      // wait.
      ctx.fireExceptionCaught(e);
      throw e;
    }
  }

  private static void encode(Frame frame, ByteBuf out) {
    int start = out.writerIndex();
    out.writeInt(0);
    fields(frame, out);
    CRC32C crc = new CRC32C();
    crc.update(out.nioBuffer(start + 4, out.writerIndex() - start - 4));
    out.writeInt((int) crc.getValue());
    out.setInt(start, out.writerIndex() - start - 4);
  }

  private static void fields(Frame frame, ByteBuf out) {
    if (frame instanceof Frame.Hello f) {
      out.writeByte(Wire.HELLO).writeInt(Wire.MAGIC);
      out.writeShort(f.minVersion()).writeShort(f.maxVersion()).writeLong(f.instance());
      out.writeBytes(f.nonce().bytes()).writeInt(f.maxChunk());
    } else if (frame instanceof Frame.Auth f) {
      name(out.writeByte(Wire.AUTH), f.job()).writeBytes(f.proof().bytes());
    } else if (frame instanceof Frame.AuthOk f) {
      name(out.writeByte(Wire.AUTH_OK), f.job()).writeBytes(f.proof().bytes());
    } else if (frame instanceof Frame.Deny f) {
      why(name(out.writeByte(Wire.DENY), f.job()), f.reason(), f.text());
    } else if (frame instanceof Frame.Error f) {
      why(out.writeByte(Wire.ERROR), f.reason(), f.text());
    } else if (frame instanceof Frame.Ping f) {
      out.writeByte(Wire.PING).writeLong(f.token());
    } else if (frame instanceof Frame.Pong f) {
      out.writeByte(Wire.PONG).writeLong(f.token());
    } else {
      streamFields(frame, out);
    }
  }

  private static void streamFields(Frame frame, ByteBuf out) {
    if (frame instanceof Frame.Subscribe f) {
      name(out.writeByte(Wire.SUBSCRIBE).writeInt(f.stream()), f.job()).writeInt(f.partition());
      name(out, f.reduceAttempt()).writeLong(f.credit()).writeInt(f.chunkSize());
    } else if (frame instanceof Frame.Want f) {
      name(
          out.writeByte(Wire.WANT).writeInt(f.stream()).writeInt(f.partition()), f.reduceAttempt());
    } else if (frame instanceof Frame.Unwant f) {
      out.writeByte(Wire.UNWANT).writeInt(f.stream()).writeInt(f.partition());
    } else if (frame instanceof Frame.Fetch f) {
      name(name(out.writeByte(Wire.FETCH).writeInt(f.stream()), f.job()), f.mapAttempt());
      out.writeInt(f.partition()).writeLong(f.offset()).writeLong(f.maxBytes());
      out.writeLong(f.credit()).writeInt(f.chunkSize()).writeLong(f.identity());
    } else if (frame instanceof Frame.FetchRanges f) {
      RangesCodec.write(f, out.writeByte(Wire.FETCH_RANGES));
    } else if (frame instanceof Frame.Merge f) {
      MergeCodec.write(f, out.writeByte(Wire.MERGE));
    } else if (frame instanceof Frame.Unmerge f) {
      name(name(out.writeByte(Wire.UNMERGE), f.job()), f.name()).writeInt(f.partition());
    } else if (frame instanceof Frame.Cancel f) {
      out.writeByte(Wire.CANCEL).writeInt(f.stream());
    } else if (frame instanceof Frame.Segment f) {
      name(out.writeByte(Wire.SEGMENT).writeInt(f.stream()).writeInt(f.segment()), f.mapAttempt());
      out.writeInt(f.partition()).writeLong(f.rawLength()).writeLong(f.partLength());
      out.writeLong(f.identity()).writeInt(f.flags());
    } else if (frame instanceof Frame.Accept f) {
      out.writeByte(Wire.ACCEPT).writeInt(f.stream()).writeInt(f.segment()).writeLong(f.offset());
    } else if (frame instanceof Frame.Refuse f) {
      out.writeByte(Wire.REFUSE).writeInt(f.stream()).writeInt(f.segment());
      why(out, f.reason(), f.text());
    } else if (frame instanceof Frame.Credit f) {
      out.writeByte(Wire.CREDIT).writeInt(f.stream()).writeLong(f.bytes());
    } else if (frame instanceof Frame.End f) {
      out.writeByte(Wire.END).writeInt(f.stream()).writeInt(f.segment()).writeLong(f.offset());
    } else if (frame instanceof Frame.Nack f) {
      out.writeByte(Wire.NACK).writeInt(f.stream()).writeInt(f.segment());
      why(out, f.reason(), f.text());
    } else {
      throw new IllegalArgumentException("chunks are built by ChunkFrames: " + frame);
    }
  }

  static ByteBuf name(ByteBuf out, String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return out.writeShort(bytes.length).writeBytes(bytes);
  }

  private static void why(ByteBuf out, Reason reason, String text) {
    String shown = text == null ? "" : text;
    // Three bytes of UTF-8 at most for each char, so that the cut never splits one.
    String cut = shown.length() * 3 > Wire.MAX_TEXT ? cut(shown) : shown;
    out.writeShort(reason.code());
    out.writeShort(ByteBufUtil.utf8Bytes(cut));
    out.writeCharSequence(cut, StandardCharsets.UTF_8);
  }

  private static String cut(String text) {
    int length = Math.min(text.length(), Wire.MAX_TEXT / 3);
    return text.substring(
        0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
  }
}
