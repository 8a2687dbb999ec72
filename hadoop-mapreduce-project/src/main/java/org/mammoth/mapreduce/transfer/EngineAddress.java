// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.transfer;

import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import org.mammoth.engine.shuffle.SegmentKey;

/**
 * How a reduce asks a NodeManager where the engine of its job's user serves map output: it fetches
 * a segment of a name that no map attempt has, over the protocol by which it fetches map output,
 * with the same proofs. The answer is a port in decimal digits.
 */
public final class EngineAddress {

  /** Stands in place of a map attempt's id. */
  public static final String NAME = "engine";

  /** Bytes of the longest answer. */
  public static final int LONGEST = 5;

  /** Linux gives listeners odd ports and outgoing connections even ones, while there are any. */
  private static final int DISTANCE = 2;

  private EngineAddress() {}

  /** What to fetch. */
  public static SegmentKey question(String job) {
    return new SegmentKey(job, NAME, 0);
  }

  /** The answer that names {@code port}. */
  public static byte[] answer(int port) {
    return String.valueOf(port).getBytes(StandardCharsets.US_ASCII);
  }

  /** The port that an answer names, or empty if it is none. */
  public static OptionalInt port(byte[] answer, int length) {
    try {
      int port = Integer.parseInt(new String(answer, 0, length, StandardCharsets.US_ASCII));
      return port > 0 && port < 1 << 16 ? OptionalInt.of(port) : OptionalInt.empty();
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }

  /**
   * The port on which a node's NodeManager is asked.
   *
   * @param configured mammoth.shuffle.port
   * @param stock the port of the node's stock shuffle
   */
  public static int askedAt(long configured, int stock) {
    return configured > 0 ? (int) configured : stock + DISTANCE;
  }
}
