// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.io.Text;

/**
 * Lets upstream's {@link Text} turn strings into bytes and back as the JVM does best. Upstream asks
 * a thread's coder, with two copies and three objects for each word, which is a sixth of what a
 * word count costs.
 *
 * <p>Arrays get the length that upstream's coder gives them, since {@link Text#getBytes} shows it.
 * What is not ASCII is decoded by upstream.
 */
public final class FastText {

  private static final String TEXT = "org/apache/hadoop/io/Text";
  private static final String DECODE = "decode";

  private static final OwnCalls CODING =
      new OwnCalls(
          FastText.class,
          TEXT,
          Set.of(
              "encode(Ljava/lang/String;Z)Ljava/nio/ByteBuffer;",
              DECODE + "(Ljava/nio/ByteBuffer;Z)Ljava/lang/String;"),
          Set.of());

  private static final float BYTES_PER_CHAR =
      StandardCharsets.UTF_8.newEncoder().averageBytesPerChar();

  private static final long HIGH_BITS = 0x8080808080808080L;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private FastText() {}

  /** Text's own decoder; asked for when the rewritten Text, not this class, is first used. */
  private static final class Upstream {
    static final MethodHandle DECODER;

    static {
      try {
        DECODER =
            MethodHandles.privateLookupIn(Text.class, MethodHandles.lookup())
                .findStatic(
                    Text.class,
                    DECODE,
                    MethodType.methodType(String.class, ByteBuffer.class, boolean.class));
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private Upstream() {}
  }

  /** The class with its calls of its coders replaced; nothing if it is made otherwise. */
  public static Optional<byte[]> rewrite(byte[] original) {
    return CODING.rewrite(original);
  }

  /** As {@link Text#encode(String, boolean)}. */
  public static ByteBuffer encode(String text, boolean replace) throws CharacterCodingException {
    if (!replace) {
      return Text.encode(text, false);
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    long size = (int) (text.length() * BYTES_PER_CHAR);
    while (size < bytes.length) {
      size = 2 * size + 1;
    }
    byte[] sized = size == bytes.length ? bytes : Arrays.copyOf(bytes, Math.toIntExact(size));
    return ByteBuffer.wrap(sized, 0, bytes.length);
  }

  /** As {@link Text#decode(byte[], int, int, boolean)} of what the buffer has left. */
  public static String decode(ByteBuffer text, boolean replace) throws CharacterCodingException {
    if (text.hasArray()) {
      byte[] bytes = text.array();
      int from = text.arrayOffset() + text.position();
      int length = text.remaining();
      if (isAscii(bytes, from, from + length)) {
        return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
      }
    }
    try {
      return (String) Upstream.DECODER.invokeExact(text, replace);
    } catch (CharacterCodingException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("upstream throws no such thing", e);
    }
  }

  private static boolean isAscii(byte[] bytes, int from, int to) {
    int at = from;
    for (; to - at >= Long.BYTES; at += Long.BYTES) {
      if (((long) LONG.get(bytes, at) & HIGH_BITS) != 0) {
        return false;
      }
    }
    while (at < to && bytes[at] >= 0) {
      at++;
    }
    return at == to;
  }
}
