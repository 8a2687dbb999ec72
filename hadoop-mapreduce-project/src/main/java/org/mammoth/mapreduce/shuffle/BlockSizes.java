// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import org.apache.hadoop.mapred.JobConf;
import org.mammoth.engine.config.ShuffleKeys;
import org.mammoth.engine.levitated.BlockSpace;
import org.mammoth.engine.memory.UnitSource;

/** How large the blocks are in which segments that stay at their sources are fetched. */
final class BlockSizes {

  /** A disk's page: what is smaller costs as much. */
  static final int SMALLEST = 4 << 10;

  private BlockSizes() {}

  /**
   * Bytes of a block: two for each map's segment fit what the job allows, unless that would be less
   * than the smallest.
   *
   * @param unitBytes of the pool, which a block cannot exceed
   */
  static int of(JobConf job, int unitBytes) {
    long most = Math.min(unitBytes, ShuffleKeys.LEVITATED_BLOCK_BYTES.get(job));
    return (int) Math.min(most, Math.max(SMALLEST, perBlock(job)));
  }

  /** Whether two of the smallest for each map's segment fit what the job allows. */
  static boolean fit(JobConf job) {
    return perBlock(job) >= SMALLEST;
  }

  /** A space for blocks, within what the job allows however many there are. */
  static BlockSpace space(JobConf job, UnitSource units) {
    return new BlockSpace(
        units, of(job, units.unitBytes()), ShuffleKeys.LEVITATED_BUFFER_BYTES.get(job));
  }

  private static long perBlock(JobConf job) {
    long budget = ShuffleKeys.LEVITATED_BUFFER_BYTES.get(job);
    return budget / (2L * Math.max(1, job.getNumMapTasks())) / SMALLEST * SMALLEST;
  }
}
