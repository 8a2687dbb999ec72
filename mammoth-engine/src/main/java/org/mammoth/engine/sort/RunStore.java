// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.io.Closeable;
import java.io.IOException;
import org.mammoth.engine.sort.merge.PartitionedOutput;

/** Keeps the sorted runs of one map: its sort buffer (Mammoth paper, Shi et al. 2015, §3.2). */
public interface RunStore {

  /**
   * Begins a run.
   *
   * @param segments how many it will have, numbered like partitions; at least 1
   */
  Writer create(int segments) throws IOException, InterruptedException;

  /** Takes one run; closing it before {@link #finish} drops what was written. */
  interface Writer extends PartitionedOutput, Closeable {

    /** The run is complete. */
    Run finish() throws IOException, InterruptedException;
  }
}
