// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.spill;

import org.mammoth.engine.sort.elements.Element;
import org.mammoth.engine.sort.merge.PartitionCursor;

/**
 * What upstream sorts in one spill: its records come out in the order that upstream's sort gives
 * them, also those of equal keys.
 *
 * <p>One thread at a time.
 */
public interface Spill {

  /** Whether it has no record. */
  boolean isEmpty();

  /**
   * Takes an element over, and the memory for sorting it.
   *
   * @param count how many of its records, the first ones. If not all, the element stays with the
   *     caller for its other records, and the spill is to be ended next
   * @return false, and nothing changed, if there is not enough memory
   */
  boolean add(Element element, int count);

  /** Takes no more; an element of which it has a part may be used for other records. */
  void end();

  /** Goes through all records, once. */
  PartitionCursor cursor();

  /** Bytes of a partition's records as a segment, once it has ended. */
  long length(int partition);

  /** Forgets the records and gives all memory back; it is empty then and takes records again. */
  void free();
}
