// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.merge;

import java.io.IOException;

/** Goes through the sorted records of a map, one partition after the other. */
public abstract class PartitionCursor extends RecordCursor {

  /**
   * Lets {@link #next} go through the records of {@code wanted}, which only ever grows, from its
   * first on. Of the partitions before it, records may not have been read: a combiner can stop
   * where it likes.
   */
  public abstract void enter(int wanted) throws IOException;
}
