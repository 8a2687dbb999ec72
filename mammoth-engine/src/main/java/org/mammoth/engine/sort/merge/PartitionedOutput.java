// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.merge;

import java.io.IOException;
import java.io.OutputStream;

/** Where sorted records go, partition after partition, each exactly once and in order. */
public interface PartitionedOutput {

  /** The stream for the segment of {@code partition}; the caller does not close it. */
  OutputStream begin(int partition) throws IOException;

  /**
   * The segment of {@code partition} is complete.
   *
   * @param rawBytes its length as written to the stream
   * @param records how many records it has
   */
  void end(int partition, long rawBytes, long records) throws IOException;
}
