package org.mammoth.hdfs.slave;

import java.util.function.Supplier;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.server.datanode.ShortCircuitRegistry;
import org.mammoth.hdfs.dataset.ReaderName;
import org.mammoth.mpcache.slave.BlockKey;

/**
 * Open files that clients on this host were given for short-circuit reads. A revoked one is not
 * used for new reads. Safe for any thread.
 */
interface Descriptors {

  /** Takes back what clients hold of a block. */
  void revoke(String pool, long blockId);

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
      public String job(BlockKey key) {
        ShortCircuitRegistry now = registry.get();
        String clients =
            now == null ? "" : now.getClientNames(new ExtendedBlockId(key.blockId(), key.pool()));
        return ReaderName.job(clients);
      }
    };
  }
}
