// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.io.Closeable;
import java.io.IOException;
import org.mammoth.engine.sort.merge.SegmentInput;

/** Sorted records of one map that wait for the final merge, in memory or on disk. */
public interface Run extends Closeable {

  /** Bytes of the segment of {@code partition}. */
  long length(int partition);

  /**
   * Reads the segment of {@code partition}. Each segment is read once, in the order of partitions;
   * what was read may be freed at once.
   */
  SegmentInput open(int partition) throws IOException;
}
