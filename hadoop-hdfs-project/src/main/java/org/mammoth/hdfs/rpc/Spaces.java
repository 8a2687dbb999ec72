// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.rpc;

import org.mammoth.api.status.CacheSpace;
import org.mammoth.mpcache.space.SpaceReport;

/** A slave's space as those outside of the cache see it. */
public final class Spaces {

  private Spaces() {}

  /**
   * Of a report.
   *
   * @param history whether to tell what was, too
   */
  public static CacheSpace of(SpaceReport space, boolean history) {
    long blockBytes = space.shares().blockBytes();
    return new CacheSpace(
        space.inputCapacity(),
        space.inputUsed(),
        space.shares().localizedBytes() + space.lentBlocks() * blockBytes,
        space.localizedUsed(),
        history ? Long.valueOf(space.localizedPeak()) : null,
        history ? Long.valueOf(space.refused()) : null,
        space.shares().poolBlocks() * blockBytes,
        space.lentBlocks() * blockBytes);
  }
}
