// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.LineReader;

/**
 * Lets upstream's {@link LineReader} find the ends of lines eight bytes at a time. Upstream looks
 * at each byte and notes its place in the object, which is an eighth of what a job costs that only
 * looks for something in lines.
 *
 * <p>Only lines that lie within what is in the reader's buffer are read here, those that end within
 * it by LF, CR LF or CR; all others, and readers with delimiters of their own, are upstream's.
 */
public final class FastLines {

  private static final String READER = "org/apache/hadoop/util/LineReader";
  private static final String BUFFER = "buffer";
  private static final String LENGTH = "bufferLength";
  private static final String PLACE = "bufferPosn";
  private static final String READ = "readDefaultLine";
  private static final String READ_TYPE = "(Lorg/apache/hadoop/io/Text;II)I";

  private static final OwnCalls READS =
      new OwnCalls(
          FastLines.class,
          READER,
          Set.of(READ + READ_TYPE),
          Set.of(BUFFER + "[B", LENGTH + "I", PLACE + "I"));

  private FastLines() {}

  /** The reader's own parts; made when the rewritten reader, not this class, is first used. */
  private static final class Parts {
    static final VarHandle BYTES;
    static final VarHandle END;
    static final VarHandle AT;
    static final MethodHandle UPSTREAM;

    static {
      try {
        Lookup inside = MethodHandles.privateLookupIn(LineReader.class, MethodHandles.lookup());
        BYTES = inside.findVarHandle(LineReader.class, BUFFER, byte[].class);
        END = inside.findVarHandle(LineReader.class, LENGTH, int.class);
        AT = inside.findVarHandle(LineReader.class, PLACE, int.class);
        UPSTREAM =
            inside.findVirtual(
                LineReader.class,
                READ,
                MethodType.methodType(int.class, Text.class, int.class, int.class));
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private Parts() {}
  }

  /**
   * The reader's class with its calls of the method that reads ordinary lines replaced by {@link
   * #readDefaultLine}; nothing if it is not made as is known here.
   */
  public static Optional<byte[]> rewrite(byte[] original) {
    return READS.rewrite(original);
  }

  /** As {@code LineReader.readLine} of the same arguments, of a reader of ordinary lines. */
  public static int readDefaultLine(LineReader reader, Text line, int longest, int enough)
      throws IOException {
    int from = (int) Parts.AT.get(reader);
    int to = (int) Parts.END.get(reader);
    if (from < to) {
      byte[] bytes = (byte[]) Parts.BYTES.get(reader);
      int end = LineEnds.find(bytes, from, to);
      int length = end - from;
      // whether a CR at the very end has an LF after it is for upstream to find out
      if (end < to - 1 && length <= longest) {
        int next = end + 1;
        if (bytes[end] == LineEnds.CR && bytes[next] == LineEnds.LF) {
          next++;
        }
        line.clear();
        if (length > 0) {
          line.append(bytes, from, length);
        }
        Parts.AT.set(reader, next);
        return next - from;
      }
    }
    return upstream(reader, line, longest, enough);
  }

  private static int upstream(LineReader reader, Text line, int longest, int enough)
      throws IOException {
    try {
      return (int) Parts.UPSTREAM.invokeExact(reader, line, longest, enough);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("upstream throws no such thing", e);
    }
  }
}
