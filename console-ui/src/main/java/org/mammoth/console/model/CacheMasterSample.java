// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

import java.util.Map;

/**
 * The cache's master at one moment.
 *
 * @param policy name of the replacement policy
 * @param rounds reads of whole data sets
 * @param roundsComplete those that began with every block cached
 * @param refusals rounds that were not admitted, by reason
 */
public record CacheMasterSample(
    long timeMs,
    String policy,
    int knownSets,
    int cachedSets,
    int completeSets,
    long hits,
    long misses,
    long rounds,
    long roundsComplete,
    Map<String, Long> refusals) {}
