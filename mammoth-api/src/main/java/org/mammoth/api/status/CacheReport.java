// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

import java.util.Map;

/**
 * Totals of the SSD cache and each slave's space, without the names of data sets.
 *
 * @param policy name of the replacement policy
 * @param epoch of the master
 * @param knownDataSets how many it knows
 * @param cachedDataSets of which something is cached
 * @param completeDataSets of which all is
 * @param markedBytes of data sets marked to stay
 * @param hits block reads served from SSD
 * @param misses other ones
 * @param hitRate 0..1
 * @param rounds reads of whole data sets; -1 where no master tells
 * @param roundsComplete those that began with every block cached
 * @param dataSetCompleteRate 0..1
 * @param refusals rounds that were not admitted, by reason
 * @param slaves by name
 */
public record CacheReport(
    String policy,
    long epoch,
    int knownDataSets,
    int cachedDataSets,
    int completeDataSets,
    long markedBytes,
    long hits,
    long misses,
    double hitRate,
    @Untold long rounds,
    long roundsComplete,
    double dataSetCompleteRate,
    Map<String, Long> refusals,
    Map<String, CacheSpace> slaves) {

  public CacheReport {
    refusals = StatusJson.orEmpty(refusals);
    slaves = StatusJson.orEmpty(slaves);
  }
}
