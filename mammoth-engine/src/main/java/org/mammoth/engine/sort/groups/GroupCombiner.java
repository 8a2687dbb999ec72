// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.groups;

import java.io.IOException;
import org.mammoth.engine.sort.merge.Groups;

/** The job's combiner, run on groups of byte-identical keys. */
public interface GroupCombiner {

  /** Takes what a combiner emits. */
  interface Emitter {
    /** Takes one record; the arrays may be reused afterwards. */
    void emit(byte[] key, int keyAt, int keyLength, byte[] value, int valueAt, int valueLength)
        throws IOException, InterruptedException;
  }

  /**
   * Whether it may carry something from one group to the next, so that it is to see groups in the
   * order of their keys, as it does on sorted records.
   */
  default boolean mindsOrder() {
    return true;
  }

  /** Combines all groups of one partition. */
  void combine(Groups groups, Emitter combined) throws IOException, InterruptedException;
}
