// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.simulation;

import java.util.Map;

/**
 * What a run of a trace gave, over the jobs that counted.
 *
 * @param policy name of the policy
 * @param jobs jobs that counted
 * @param jobHitRate mean over jobs of the part of its blocks that hit
 * @param blockHitRate hits per block read, large jobs weighing more
 * @param completeRate part of the jobs that found their whole data set cached
 * @param meanSpeedup mean over jobs of time without cache by time with it
 * @param meanTime mean over jobs of time with the cache by time without
 * @param totalSeconds sum of job times
 * @param strictSpeedup as meanSpeedup, with strict waves
 * @param localizedOnSsd part of all localized bytes that was on SSD
 * @param typeTime meanTime per type of job
 */
public record SimulationResult(
    String policy,
    int jobs,
    double jobHitRate,
    double blockHitRate,
    double completeRate,
    double meanSpeedup,
    double meanTime,
    double totalSeconds,
    double strictSpeedup,
    double localizedOnSsd,
    Map<String, Double> typeTime) {}
