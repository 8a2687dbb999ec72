// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.replicas;

import java.io.FileInputStream;
import java.util.Optional;
import org.mammoth.mpcache.slave.BlockKey;

/** A cache before the reads of a DataNode. Safe for any thread; nothing here throws or waits. */
public interface ReadCache extends AutoCloseable {

  /**
   * A copy that serves a read.
   *
   * @param data the copy; the caller closes it
   * @param checksums the file of checksums that goes with it, and stays as it is when the replica's
   *     own changes; null if the caller compares nothing himself. The caller closes it
   */
  record Served(FileInputStream data, FileInputStream checksums) {}

  /** Whether reads of this thread may be served: those of clients, never the block scanner's. */
  boolean serves(Thread reader);

  /**
   * A client reads.
   *
   * @param key state of the finalized replica, looked up at this moment
   * @param offset where the stream shall stand
   * @param told whether a client that is given the file itself hears when it must not be used any
   *     more
   * @return the copy, or empty: read the replica
   */
  Optional<Served> read(BlockKey key, long offset, boolean told);

  /** This thread begins to receive a replica from a client. */
  void writing(String pool, long blockId);

  /** A block pool's replicas are known from now on. */
  void poolAdded(String pool);

  /** A block pool's replicas are about to be unknown; they may come again. */
  void poolLeaves(String pool);

  /** A replica has been appended to, recovered, deleted, or a descriptor of it must not be kept. */
  void changed(String pool, long blockId);

  /** Ends all background work. */
  @Override
  void close();
}
