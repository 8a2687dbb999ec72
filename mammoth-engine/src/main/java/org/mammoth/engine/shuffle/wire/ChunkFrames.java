// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Builds chunk frames in one buffer, so that data read from a disk is not copied again. */
public final class ChunkFrames {

  /** Fills a buffer with a chunk's data. */
  @FunctionalInterface
  public interface Filler {

    /** Puts bytes into {@code into} until none remain. */
    void fill(ByteBuffer into) throws IOException;
  }

  private ChunkFrames() {}

  /**
   * A whole chunk frame, ready to be written to the channel; the caller owns it.
   *
   * @param length bytes of data, 1 to {@link Wire#MAX_CHUNK}
   * @throws IOException from {@code filler}, or if it left bytes out
   */
  public static ByteBuf build(
      ByteBufAllocator allocator,
      int stream,
      int segment,
      long offset,
      int length,
      ChunkChecksum checksum,
      Filler filler)
      throws IOException {
    ByteBuf frame = begin(allocator, length);
    boolean built = false;
    try {
      ByteBuffer data = data(frame, length);
      filler.fill(data);
      if (data.hasRemaining()) {
        throw new IOException(data.remaining() + " bytes are missing at offset " + offset);
      }
      end(frame, stream, segment, offset, length, checksum);
      built = true;
      return frame;
    } finally {
      if (!built) {
        frame.release();
      }
    }
  }

  /** A frame whose data is to be filled in; the caller owns it. */
  public static ByteBuf begin(ByteBufAllocator allocator, int length) {
    return allocator.directBuffer(Wire.CHUNK_HEAD + length);
  }

  /** Where the data of a frame goes. */
  public static ByteBuffer data(ByteBuf frame, int length) {
    return frame.nioBuffer(Wire.CHUNK_HEAD, length);
  }

  /** Makes a frame whose data is there ready to be written. */
  public static void end(
      ByteBuf frame, int stream, int segment, long offset, int length, ChunkChecksum checksum) {
    frame.clear();
    frame.writeInt(Wire.CHUNK_HEAD - 4 + length).writeByte(Wire.CHUNK);
    frame.writeInt(stream).writeInt(segment).writeLong(offset);
    frame.writeInt(checksum.of(offset, data(frame, length)));
    frame.writerIndex(Wire.CHUNK_HEAD + length);
  }
}
