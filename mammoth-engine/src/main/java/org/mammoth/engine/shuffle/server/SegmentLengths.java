// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

/** Lengths of the segments of one map attempt's output. Any thread; never changes. */
public interface SegmentLengths {

  /** How many partitions the output has. */
  int partitions();

  /** Bytes of a partition after decompression. */
  long rawLength(int partition);

  /** Bytes of a partition as stored. */
  long partLength(int partition);
}
