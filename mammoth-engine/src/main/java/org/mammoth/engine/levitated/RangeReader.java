// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated;

import java.util.List;

/** Reads ranges of segments that stay at their sources. Any thread; never blocks. */
public interface RangeReader {

  /**
   * Begins to read all of them; those of one call may travel in one request per node, ordered by
   * file and offset.
   */
  void read(List<RangeRequest> requests);
}
