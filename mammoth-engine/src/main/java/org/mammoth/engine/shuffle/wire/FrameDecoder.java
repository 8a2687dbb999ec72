// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Cuts the byte stream into frames. Never holds more than one frame beyond what the socket gave,
 * and no frame is longer than its type allows; what is not a frame ends in one {@link
 * ProtocolException}, after which everything is dropped. The receiver of a {@link Frame.Chunk}
 * releases its data.
 */
public final class FrameDecoder extends ByteToMessageDecoder {

  private final Frame.Sender from;
  private final int maxChunk;
  private boolean greeted;
  private boolean broken;

  /**
   * A decoder for one connection.
   *
   * @param from who sends the bytes, {@code CLIENT} or {@code SERVER}
   * @param maxChunk most bytes of data in a chunk
   */
  public FrameDecoder(Frame.Sender from, int maxChunk) {
    this.from = from;
    this.maxChunk = maxChunk;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (broken) {
      in.skipBytes(in.readableBytes());
      return;
    }
    try {
      Frame frame = next(in);
      if (frame != null) {
        out.add(frame);
      }
    } catch (ProtocolException e) {
      broken = true;
      in.skipBytes(in.readableBytes());
      throw e;
    }
  }

  private Frame next(ByteBuf in) {
    if (in.readableBytes() < 5) {
      return null;
    }
    long length = in.getUnsignedInt(in.readerIndex());
    int type = in.getUnsignedByte(in.readerIndex() + 4);
    if (!greeted && type != Wire.HELLO) {
      throw new ProtocolException("the first bytes are not those of a Mammoth shuffle");
    }
    if (greeted && type == Wire.HELLO) {
      throw new ProtocolException("a second HELLO");
    }
    FrameFields.checkSender(type, from);
    long most = longest(type);
    if (length < 5 || length > most) {
      throw new ProtocolException(
          "a frame of type "
              + type
              + " with "
              + length
              + " bytes; at most "
              + most
              + " are allowed");
    }
    if (in.readableBytes() - 4 < length) {
      return null;
    }
    in.skipBytes(4);
    if (type == Wire.CHUNK) {
      return chunk(in, (int) length);
    }
    ByteBuf body = in.readSlice((int) length - 4);
    CRC32C crc = new CRC32C();
    crc.update(body.nioBuffer());
    if (in.readInt() != (int) crc.getValue()) {
      throw new ProtocolException("a frame of type " + type + " was changed on its way");
    }
    Frame frame = FrameFields.read(body);
    greeted = true;
    return frame;
  }

  private long longest(int type) {
    return switch (type) {
      case Wire.CHUNK -> (long) Wire.CHUNK_HEAD - 4 + maxChunk;
      case Wire.FETCH_RANGES, Wire.MERGE -> Wire.MAX_RANGES_BYTES;
      default -> Wire.MAX_CONTROL;
    };
  }

  private static Frame chunk(ByteBuf in, int length) {
    int data = length - (Wire.CHUNK_HEAD - 4);
    if (data < 1) {
      throw new ProtocolException("a chunk without data");
    }
    in.skipBytes(1);
    return new Frame.Chunk(
        in.readInt(), in.readInt(), in.readLong(), in.readInt(), in.readRetainedSlice(data));
  }
}
