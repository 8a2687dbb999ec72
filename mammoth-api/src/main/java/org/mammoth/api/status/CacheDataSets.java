// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * Data sets that the caller may read.
 *
 * @param dataSets cached ones, the largest first
 * @param absent the last ones read of which nothing is cached
 */
public record CacheDataSets(List<DataSet> dataSets, List<DataSet> absent) {

  public CacheDataSets {
    dataSets = StatusJson.orEmpty(dataSets);
    absent = StatusJson.orEmpty(absent);
  }

  /**
   * One data set.
   *
   * @param complete whether all its blocks are cached
   * @param copyBytes of the copies
   * @param admission what its last admission said
   * @param departure of copies; null if none has left
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record DataSet(
      String path,
      int blocks,
      long bytes,
      int cachedBlocks,
      boolean complete,
      long copyBytes,
      long accesses,
      long hits,
      double priority,
      boolean pinned,
      String admission,
      Departure departure) {}

  /**
   * Why copies left last.
   *
   * @param cause of that
   * @param by the path for which they left; absent if the caller may not know it, or there is none
   */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record Departure(String cause, String by) {}
}
