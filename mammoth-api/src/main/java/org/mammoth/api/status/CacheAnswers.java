// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

/** What the cache's master answers to administrators, about what is at and below a path. */
public final class CacheAnswers {

  private CacheAnswers() {}

  /** So many copies leave the cache. */
  public record Evicted(String path, long copies) {}

  /**
   * What is proposed to slaves.
   *
   * @param blocksWithoutSlave of them have none
   * @param more whether the path has more than are taken at once
   */
  public record Warmed(
      String path, long blocks, long bytes, long blocksWithoutSlave, boolean more) {}

  /**
   * Pinned or not.
   *
   * @param sets known data sets that changed
   * @param pinned as the path is now
   */
  public record Pinned(String path, long sets, boolean pinned) {}
}
