// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.Closeable;
import java.io.IOException;
import org.mammoth.engine.sort.merge.SegmentInput;

/** One map's share of a reduce's input, wherever it lies. Opened at most once. */
interface ReduceInput extends Closeable {

  /** The map attempt it comes from. */
  String name();

  /** The number of its map. */
  default int map() {
    String attempt = name();
    int end = attempt.lastIndexOf('_');
    return Integer.parseInt(attempt, attempt.lastIndexOf('_', end - 1) + 1, end, 10);
  }

  /** Bytes of its records. */
  long rawLength();

  /** Where its bytes came from, so far. */
  CameFrom cameFrom();

  /** Reads it from the start; closing the result closes this. */
  SegmentInput open() throws IOException;

  /**
   * Bytes of memory that {@link #spill} would free, before it is opened; 0 if it can't be spilled.
   * Any thread; waits for nobody.
   */
  default long spillableBytes() {
    return 0;
  }

  /**
   * Puts what it holds in memory into a file. The reduce's thread, before {@link #open}; after an
   * error it is in memory as before.
   */
  default void spill() throws IOException {}
}
