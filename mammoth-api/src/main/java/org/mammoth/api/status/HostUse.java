// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api.status;

/**
 * What a node's host has and uses, whoever uses it. Amounts of work count from the host's start, so
 * that a reader makes rates of two readings. What the host does not tell is -1.
 *
 * @param cores processors of the host
 * @param cpuMs time that all of them together were busy
 * @param memoryBytes the host's memory
 * @param memoryAvailableBytes what programs can still get without swapping, page cache included
 * @param networkInBytes received from other hosts
 * @param networkOutBytes sent to other hosts
 * @param disks how many disks the three numbers of disks are of
 * @param diskReadBytes read from disks
 * @param diskWrittenBytes written to disks
 * @param diskBusyMs time that disks had something to do, of all of them together
 * @param localDirsUsedPercent how full yarn.nodemanager.local-dirs are, as the NodeManager's own
 *     check of disks found them
 * @param badLocalDirs how many of them that check has put out of use
 */
public record HostUse(
    @Untold long cores,
    @Untold long cpuMs,
    @Untold long memoryBytes,
    @Untold long memoryAvailableBytes,
    @Untold long networkInBytes,
    @Untold long networkOutBytes,
    @Untold long disks,
    @Untold long diskReadBytes,
    @Untold long diskWrittenBytes,
    @Untold long diskBusyMs,
    @Untold long localDirsUsedPercent,
    @Untold long badLocalDirs) {}
