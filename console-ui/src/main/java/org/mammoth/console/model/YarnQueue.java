// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/**
 * A queue of YARN's scheduler. What the scheduler does not tell is null.
 *
 * @param path its name with those of its parents, as {@code root.users.ada}
 * @param leaf whether applications are in it, and not in queues below
 * @param guaranteedPercent of the cluster, by the scheduler's configuration or fair share
 * @param usedPercent of the cluster
 * @param maximumPercent of the cluster
 * @param usedMemory bytes
 * @param runningApplications those that have an ApplicationMaster
 * @param waitingApplications those that wait for one
 * @param waitingContainers asked for and not granted yet
 */
public record YarnQueue(
    String path,
    boolean leaf,
    String state,
    Double guaranteedPercent,
    Double usedPercent,
    Double maximumPercent,
    Long usedMemory,
    Long usedVcores,
    Long runningApplications,
    Long waitingApplications,
    Long containers,
    Long waitingContainers) {}
