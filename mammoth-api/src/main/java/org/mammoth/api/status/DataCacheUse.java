// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import java.util.List;

/**
 * What the data cache holds for jobs to come, and what it has done since the engine started.
 *
 * @param limitBytes of the cache pool that it may have at most
 * @param heldBytes of the pool that it has now; beside {@code poolUsedBytes}, as whoever needs them
 *     gets them at once
 * @param files in memory, whole or in part
 * @param hits files that were opened and found in memory
 * @param misses files that this engine had written, were opened, and were not in memory
 * @param keptBytes ever kept
 * @param readBytes ever read from memory
 * @param givenUpBytes of the pool that others needed, or that newer files replaced
 * @param sets in memory, those that would be given up last first
 */
public record DataCacheUse(
    long limitBytes,
    long heldBytes,
    int files,
    long hits,
    long misses,
    long keptBytes,
    long readBytes,
    long givenUpBytes,
    List<Set> sets) {

  public DataCacheUse {
    sets = StatusJson.orEmpty(sets);
  }

  /**
   * The files that one job wrote to one folder.
   *
   * @param folder where they were written, or to be moved
   * @param job that wrote them
   * @param files in memory
   * @param bytes of these files
   * @param heldBytes of the pool
   * @param complete whether none of it is missing for want of memory
   * @param read whether a later job has read of it
   * @param readBytes that were read from memory
   * @param ageMs since it was begun
   */
  public record Set(
      String folder,
      String job,
      int files,
      long bytes,
      long heldBytes,
      boolean complete,
      boolean read,
      long readBytes,
      long ageMs) {}
}
