// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.mammoth.engine.shuffle.Reason;

/** Reads the fields of a checked frame; every value outside its range is refused. */
final class FrameFields {

  private FrameFields() {}

  static void checkSender(int type, Frame.Sender from) {
    Frame.Sender allowed =
        switch (type) {
          case Wire.HELLO, Wire.ERROR, Wire.PING, Wire.PONG -> Frame.Sender.BOTH;
          case Wire.AUTH,
                  Wire.SUBSCRIBE,
                  Wire.FETCH,
                  Wire.FETCH_RANGES,
                  Wire.CANCEL,
                  Wire.ACCEPT,
                  Wire.REFUSE,
                  Wire.CREDIT,
                  Wire.WANT,
                  Wire.UNWANT,
                  Wire.MERGE,
                  Wire.UNMERGE ->
              Frame.Sender.CLIENT;
          case Wire.AUTH_OK, Wire.DENY, Wire.SEGMENT, Wire.CHUNK, Wire.END, Wire.NACK ->
              Frame.Sender.SERVER;
          default -> throw new ProtocolException("unknown frame type " + type);
        };
    if (allowed != Frame.Sender.BOTH && allowed != from) {
      throw new ProtocolException("a frame of type " + type + " does not come from the " + from);
    }
  }

  static Frame read(ByteBuf body) {
    int type = body.readUnsignedByte();
    Frame frame;
    try {
      frame = fields(type, body);
    } catch (IndexOutOfBoundsException e) {
      throw new ProtocolException("a frame of type " + type + " is too short for its fields");
    }
    if (body.isReadable()) {
      throw new ProtocolException(
          "a frame of type " + type + " has " + body.readableBytes() + " bytes too many");
    }
    return frame;
  }

  private static Frame fields(int type, ByteBuf in) {
    return switch (type) {
      case Wire.HELLO -> hello(in);
      case Wire.AUTH -> new Frame.Auth(name(in), proof(in));
      case Wire.AUTH_OK -> new Frame.AuthOk(name(in), proof(in));
      case Wire.DENY -> new Frame.Deny(name(in), reason(in), text(in));
      case Wire.ERROR -> new Frame.Error(reason(in), text(in));
      case Wire.PING -> new Frame.Ping(in.readLong());
      case Wire.PONG -> new Frame.Pong(in.readLong());
      default -> streamFields(type, in);
    };
  }

  private static Frame streamFields(int type, ByteBuf in) {
    return switch (type) {
      case Wire.SUBSCRIBE ->
          new Frame.Subscribe(stream(in), name(in), count(in), name(in), length(in), chunkSize(in));
      case Wire.FETCH ->
          new Frame.Fetch(
              stream(in),
              name(in),
              name(in),
              count(in),
              length(in),
              length(in),
              length(in),
              chunkSize(in),
              in.readLong());
      case Wire.FETCH_RANGES -> RangesCodec.read(in);
      case Wire.WANT -> new Frame.Want(stream(in), count(in), name(in));
      case Wire.UNWANT -> new Frame.Unwant(stream(in), count(in));
      case Wire.MERGE -> MergeCodec.read(in);
      case Wire.UNMERGE -> new Frame.Unmerge(name(in), name(in), count(in));
      case Wire.CANCEL -> new Frame.Cancel(stream(in));
      case Wire.SEGMENT ->
          new Frame.Segment(
              stream(in),
              in.readInt(),
              name(in),
              count(in),
              length(in),
              length(in),
              in.readLong(),
              in.readInt());
      case Wire.ACCEPT -> new Frame.Accept(stream(in), in.readInt(), length(in));
      case Wire.REFUSE -> new Frame.Refuse(stream(in), in.readInt(), reason(in), text(in));
      case Wire.CREDIT -> new Frame.Credit(stream(in), length(in));
      case Wire.END -> new Frame.End(stream(in), in.readInt(), length(in));
      case Wire.NACK -> new Frame.Nack(stream(in), in.readInt(), reason(in), text(in));
      default -> throw new ProtocolException("unknown frame type " + type);
    };
  }

  private static Frame hello(ByteBuf in) {
    if (in.readInt() != Wire.MAGIC) {
      throw new ProtocolException("the first bytes are not those of a Mammoth shuffle");
    }
    int min = in.readUnsignedShort();
    int max = in.readUnsignedShort();
    long instance = in.readLong();
    byte[] nonce = new byte[Nonce.BYTES];
    in.readBytes(nonce);
    return new Frame.Hello(min, max, instance, new Nonce(nonce), chunkSize(in));
  }

  private static Proof proof(ByteBuf in) {
    byte[] bytes = new byte[Proof.BYTES];
    in.readBytes(bytes);
    return new Proof(bytes);
  }

  static int stream(ByteBuf in) {
    int stream = in.readInt();
    if (stream < 1) {
      throw new ProtocolException("a stream with the number " + stream);
    }
    return stream;
  }

  static int count(ByteBuf in) {
    int count = in.readInt();
    if (count < 0) {
      throw new ProtocolException("a negative number, " + count + ", where none may be");
    }
    return count;
  }

  static long length(ByteBuf in) {
    long length = in.readLong();
    if (length < 0) {
      throw new ProtocolException("a negative length, " + length);
    }
    return length;
  }

  static int chunkSize(ByteBuf in) {
    int size = in.readInt();
    if (size < 1 || size > Wire.MAX_CHUNK) {
      throw new ProtocolException("a chunk size of " + size + "; allowed: 1 .. " + Wire.MAX_CHUNK);
    }
    return size;
  }

  private static Reason reason(ByteBuf in) {
    return Reason.ofCode(in.readUnsignedShort());
  }

  private static String text(ByteBuf in) {
    return bounded(in, Wire.MAX_TEXT);
  }

  /** Names become parts of paths and of log lines, so only harmless characters pass. */
  static String name(ByteBuf in) {
    String name = bounded(in, Wire.MAX_NAME);
    boolean harmless = !name.isEmpty() && name.charAt(0) != '.';
    for (int i = 0; harmless && i < name.length(); i++) {
      char c = name.charAt(i);
      harmless = c < 128 && (Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.');
    }
    if (!harmless) {
      throw new ProtocolException("a name of a job or an attempt that is none");
    }
    return name;
  }

  private static String bounded(ByteBuf in, int most) {
    int length = in.readUnsignedShort();
    if (length > most) {
      throw new ProtocolException(
          "a text of " + length + " bytes; at most " + most + " are allowed");
    }
    if (length > in.readableBytes()) {
      throw new ProtocolException("a text that ends after its frame");
    }
    return in.readCharSequence(length, StandardCharsets.UTF_8).toString();
  }
}
