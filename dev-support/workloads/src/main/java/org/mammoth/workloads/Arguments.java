// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import org.apache.hadoop.util.StringUtils;

/** What the programs of this jar share about their command lines. */
final class Arguments {
  private Arguments() {}

  /** Bytes per generated file, when the number of maps is not given: one default HDFS block. */
  static final long BYTES_PER_MAP = 128L << 20;

  /** Parses {@code 1000}, {@code 64k}, {@code 200m} or {@code 2g} (binary units) into bytes. */
  static long size(String text) {
    long size;
    try {
      size = StringUtils.TraditionalBinaryPrefix.string2long(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + text + "' is no size; write for example 200m", e);
    }
    if (size < 1) {
      throw new IllegalArgumentException("size '" + text + "' must be at least one byte");
    }
    return size;
  }

  /** The number at a position of the command line, or the default where it is absent. */
  static long number(String[] args, int at, String name, long defaultValue, long atLeast) {
    if (args.length <= at) {
      return defaultValue;
    }
    long value;
    try {
      value = Long.parseLong(args[at]);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " '" + args[at] + "' is no number", e);
    }
    if (value < atLeast) {
      throw new IllegalArgumentException(name + " " + value + " must be at least " + atLeast);
    }
    return value;
  }

  /** One map per HDFS block of output, at least one. */
  static int mapsFor(long bytes) {
    return (int) Math.min(100_000, Math.max(1, (bytes + BYTES_PER_MAP - 1) / BYTES_PER_MAP));
  }
}
