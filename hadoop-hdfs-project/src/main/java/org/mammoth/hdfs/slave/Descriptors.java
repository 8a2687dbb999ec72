// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import java.util.function.Supplier;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.server.datanode.ShortCircuitRegistry;
import org.apache.hadoop.net.unix.DomainSocket;
import org.mammoth.hdfs.replicas.ReaderName;
import org.mammoth.mpcache.slave.BlockKey;

/**
 * Open files that clients on this host were given for short-circuit reads. A revoked one is not
 * used for new reads. Safe for any thread.
 */
interface Descriptors {

  /** Takes back what clients hold of a block. */
  void revoke(String pool, long blockId);

  /**
   * Whether the client that now asks for a block's file will hear of {@link #revoke}: it has a
   * place in the memory it shares with the DataNode. A client that has none goes on with the file
   * it was given, also after the block was appended to.
   *
   * @param told whether this client has just registered such a place for the block; others may have
   *     theirs
   */
  boolean revocable(BlockKey key, boolean told);

  /** The job that asks for a block, as far as its clients' names tell; or "". */
  String job(BlockKey key);

  /** Those of a DataNode; its registry may not be there yet when this is called. */
  static Descriptors of(Supplier<ShortCircuitRegistry> registry) {
    return new Descriptors() {
      @Override
      public void revoke(String pool, long blockId) {
        ShortCircuitRegistry now = registry.get();
        if (now != null) {
          now.processBlockInvalidation(new ExtendedBlockId(blockId, pool));
        }
      }

      @Override
      public boolean revocable(BlockKey key, boolean told) {
        // Without domain sockets no client is given anything, and there is no memory to share.
        return DomainSocket.getLoadingFailureReason() != null || told && !clients(key).isEmpty();
      }

      @Override
      public String job(BlockKey key) {
        return ReaderName.job(clients(key));
      }

      private String clients(BlockKey key) {
        ShortCircuitRegistry now = registry.get();
        return now == null
            ? ""
            : now.getClientNames(new ExtendedBlockId(key.blockId(), key.pool()));
      }
    };
  }
}
