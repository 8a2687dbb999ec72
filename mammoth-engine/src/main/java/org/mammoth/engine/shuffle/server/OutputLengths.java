// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import java.io.IOException;

/**
 * Where the lengths of the segments of one map attempt's output are to be had: in memory, or on a
 * disk for which nobody waits who must not block. Any thread.
 */
public interface OutputLengths {

  /** How many partitions the output has. */
  int partitions();

  /** The lengths, if they are in memory; else null. Waits for nothing. */
  SegmentLengths inMemory();

  /**
   * The lengths; may wait for a disk.
   *
   * @throws IOException if they can't be read
   */
  SegmentLengths read() throws IOException;
}
