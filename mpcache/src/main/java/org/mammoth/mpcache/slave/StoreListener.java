// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

/** Hears when copies leave a {@link BlockStore}; called without locks held, on any thread. */
public interface StoreListener {

  /**
   * A copy is about to be deleted; readers that hold it open may go on. HDFS revokes short-circuit
   * descriptors here.
   */
  void leaving(BlockKey key);

  /** A copy is no longer held by the store, however it left. */
  void left(BlockKey key);

  /** A copy is gone without anybody's order: corrupt, stale, or its directory failed. */
  void lost(BlockKey key, String why);
}
