// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.replicas;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.mammoth.mpcache.slave.BlockKey;

/** The real replicas of a DataNode, as the cache sees them. Safe for any thread. */
public interface Replicas {

  /** The state of a replica at this moment, if it is finalized and not in memory only. */
  Optional<BlockKey> finalized(String pool, long blockId);

  /**
   * Opens the real replica.
   *
   * @throws IOException if there is none of this generation stamp, or its disk fails
   */
  InputStream data(BlockKey key, long offset) throws IOException;

  /**
   * Opens the file of the replica's checksums, at its beginning.
   *
   * @throws IOException if there is none, or its disk fails
   */
  FileInputStream checksums(BlockKey key) throws IOException;

  /**
   * Keeps the replica's volume from being removed until closed.
   *
   * @throws IOException if there is no such replica, or its volume is being removed
   */
  Closeable hold(BlockKey key) throws IOException;
}
