// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.status;

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
    int cores,
    long cpuMs,
    long memoryBytes,
    long memoryAvailableBytes,
    long networkInBytes,
    long networkOutBytes,
    int disks,
    long diskReadBytes,
    long diskWrittenBytes,
    long diskBusyMs,
    int localDirsUsedPercent,
    int badLocalDirs) {}
