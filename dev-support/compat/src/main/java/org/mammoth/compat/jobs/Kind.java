// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.LongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BooleanWritable;
import org.apache.hadoop.io.ByteWritable;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.ShortWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.VIntWritable;
import org.apache.hadoop.io.VLongWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/**
 * A type of key or value: how a small number becomes an instance of it, and how an instance is
 * shown.
 */
enum Kind {
  TEXT(Text.class, token -> new Text(word(token))),
  INT(IntWritable.class, token -> new IntWritable((int) signed(token, 33))),
  LONG(LongWritable.class, token -> new LongWritable(signed(token, 0))),
  VINT(VIntWritable.class, token -> new VIntWritable((int) signed(token, 33 + (int) (token % 30)))),
  VLONG(VLongWritable.class, token -> new VLongWritable(signed(token, (int) (token % 63)))),
  SHORT(ShortWritable.class, token -> new ShortWritable((short) signed(token, 0))),
  BYTE(ByteWritable.class, token -> new ByteWritable((byte) signed(token, 0))),
  BYTES(BytesWritable.class, token -> new BytesWritable(bytes(token))),
  FLOAT(FloatWritable.class, token -> new FloatWritable(signed(token, 40) + 0.25f)),
  DOUBLE(DoubleWritable.class, token -> new DoubleWritable(signed(token, 20) + 0.125)),
  BOOLEAN(BooleanWritable.class, token -> new BooleanWritable(token % 2 == 1)),
  NULL(NullWritable.class, token -> NullWritable.get()),
  /** A WritableComparable without a raw comparator. */
  PAIR(PairKey.class, token -> new PairKey(word(token / 4), (int) (token % 4) - 1)),
  /**
   * Java serialization. A JDK class: LocalJobRunner resolves no class of a job jar in an object
   * stream.
   */
  JAVA(String.class, Kind::word),
  /** A type that is no Writable and has a serialization of its own. */
  POINT(Point.class, token -> new Point((int) (token % 100) - 50, (int) signed(token, 50))),
  /** Bytes without an end of their own. */
  REST(Rest.class, token -> new Rest(word(token)));

  /** The number of the word without letters. */
  static final long EMPTY_WORD = 7;

  private final Class<?> type;
  private final LongFunction<Object> maker;

  Kind(Class<?> type, LongFunction<Object> maker) {
    this.type = type;
    this.maker = maker;
  }

  Class<?> type() {
    return type;
  }

  boolean writable() {
    return this != JAVA && this != POINT;
  }

  /**
   * The instance that stands for a number of at least 0; different numbers may meet in narrow
   * types.
   */
  Object of(long token) {
    return maker.apply(token);
  }

  /** A number spread over all bits but the lowest {@code shift}; odd tokens give negative ones. */
  private static long signed(long token, int shift) {
    long size = (Mix.of(token) >>> 1) >>> shift;
    return token % 2 == 1 ? -size : size;
  }

  /** Every second word differs from its neighbour in case only, and one is empty. */
  private static String word(long token) {
    if (token == EMPTY_WORD) {
      return "";
    }
    String word =
        Long.toString(Mix.of(token / 2) >>> (1 + token / 2 % 48), 36)
            + (token % 5 == 0 ? "é\u20ac" : "");
    return token % 2 == 0 ? word : word.toUpperCase(Locale.ROOT);
  }

  private static byte[] bytes(long token) {
    long mixed = Mix.of(token);
    byte[] bytes = new byte[(int) (token % 13)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (mixed >>> (i % 7 * 8));
    }
    return bytes;
  }

  /** A copy that Hadoop's reuse of objects cannot change. */
  Object copy(Object instance) {
    if (!(instance instanceof Writable writable)) {
      return instance;
    }
    return WritableUtils.clone(writable, new Configuration(false));
  }

  /** A text of an instance that differs whenever the instances differ. */
  static String show(Object instance) {
    if (instance instanceof BytesWritable bytes) {
      return HexFormat.of().formatHex(bytes.getBytes(), 0, bytes.getLength());
    }
    return instance instanceof NullWritable ? "" : instance.toString();
  }

  /**
   * What a coarse comparator sees of an instance: letters without case, or the first characters.
   */
  static String coarse(Object instance) {
    if (instance instanceof PairKey pair) {
      return pair.first();
    }
    String shown = show(instance).toLowerCase(Locale.ROOT);
    if (instance instanceof Text || instance instanceof String) {
      return shown;
    }
    return shown.length() > 2 ? shown.substring(0, 2) : shown;
  }

  /** What a comparator sees of a key that sorts by its first two bytes. */
  static String field(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(bytes, 0, Math.min(2, bytes.length));
  }
}
