// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.io.IOException;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.SegmentWriter;

/** The job's combiner, as the sorter calls it: any number of times on any sorted records. */
public interface Combiner {

  /**
   * Combines the records of one partition.
   *
   * @param sorted stands before its first record
   * @param combined takes what the combiner emits, sorted as it comes
   */
  void combine(MergeQueue sorted, SegmentWriter combined) throws IOException, InterruptedException;
}
