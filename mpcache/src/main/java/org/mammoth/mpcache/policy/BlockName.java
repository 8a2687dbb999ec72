// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

/** A block as the key of a lookup: its id within the block pool of this master. */
class BlockName {

  private final long blockId;

  BlockName(long blockId) {
    this.blockId = blockId;
  }

  /** Id within the block pool. */
  public final long blockId() {
    return blockId;
  }

  @Override
  public final int hashCode() {
    return Long.hashCode(blockId);
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof BlockName name && name.blockId == blockId;
  }
}
