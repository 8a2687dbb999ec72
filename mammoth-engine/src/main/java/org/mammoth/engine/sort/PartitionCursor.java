// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

/** Goes through the sorted records of a map, one partition after the other. */
abstract class PartitionCursor extends RecordCursor {

  /** Lets {@link #next} go through the records of {@code wanted}, which only ever grows. */
  abstract void enter(int wanted);
}
