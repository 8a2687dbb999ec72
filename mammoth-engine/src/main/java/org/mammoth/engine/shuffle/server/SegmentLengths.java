// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

/**
 * Lengths of the segments of one map attempt's output, in memory. Any thread; never changes, waits
 * for nothing.
 */
public interface SegmentLengths extends OutputLengths {

  /** Bytes of a partition after decompression. */
  long rawLength(int partition);

  /** Bytes of a partition as stored. */
  long partLength(int partition);

  @Override
  default SegmentLengths inMemory() {
    return this;
  }

  @Override
  default SegmentLengths read() {
    return this;
  }
}
