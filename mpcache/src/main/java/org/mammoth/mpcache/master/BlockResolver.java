// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.master;

import java.util.Optional;
import org.mammoth.mpcache.policy.DataSetId;
import org.mammoth.mpcache.slave.BlockKey;

/** Asks the NameNode which data set a block belongs to. */
@FunctionalInterface
public interface BlockResolver {

  /**
   * A data set and its size at this moment.
   *
   * @param id the job's input path, or the file's directory
   * @param blocks blocks of all its files, at least 1
   * @param bytes length of all its files
   */
  record Located(DataSetId id, int blocks, long bytes) {}

  /**
   * @param reader the job that reads the block, or ""
   * @return empty if the block belongs to no file
   */
  Optional<Located> resolve(BlockKey key, String reader);
}
