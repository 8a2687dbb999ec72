// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

import org.apache.hadoop.util.LightWeightGSet.LinkedElement;

/**
 * One copy of a block on one node's SSD, as the master sees it. The links of the table, of the
 * block's other copies and of its data set are fields of the copy itself, so that ten million of
 * them stay affordable.
 *
 * <p>Equal to every other copy of the same block; a collection over several nodes must not rely on
 * equality. Not thread-safe; guarded by its {@link ReplaceArbitrator}'s caller.
 */
public final class CachedBlock extends BlockName implements LinkedElement {

  private final DataSet dataSet;
  private final long bytes;
  private final int node;
  private LinkedElement nextInTable;

  /** Another node's copy of the same block. */
  CachedBlock nextCopy;

  CachedBlock previousInSet;
  CachedBlock nextInSet;

  CachedBlock(long blockId, DataSet dataSet, long bytes, int node) {
    super(blockId);
    this.dataSet = dataSet;
    this.bytes = bytes;
    this.node = node;
  }

  public DataSet dataSet() {
    return dataSet;
  }

  /** Length of the block in bytes. */
  public long bytes() {
    return bytes;
  }

  /** Number of the node that holds it. */
  public int node() {
    return node;
  }

  @Override
  public void setNext(LinkedElement next) {
    nextInTable = next;
  }

  @Override
  public LinkedElement getNext() {
    return nextInTable;
  }
}
