// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

/**
 * Exactly one state of one block: a cached copy counts only for the finalized replica with this
 * generation stamp and length.
 *
 * @param pool block pool id; letters, digits, dots and dashes, as HDFS makes them
 * @param blockId id within the pool
 * @param generationStamp of the finalized replica
 * @param length of the finalized replica in bytes
 */
public record BlockKey(String pool, long blockId, long generationStamp, long length) {

  public BlockKey {
    // The pool becomes a folder's name.
    if (!pool.matches("[A-Za-z0-9][A-Za-z0-9.\\-]*") || pool.contains("..")) {
      throw new IllegalArgumentException("'" + pool + "' is no block pool id");
    }
    if (length < 0) {
      throw new IllegalArgumentException("block " + blockId + " has length " + length);
    }
  }
}
