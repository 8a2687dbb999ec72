// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/**
 * What a node's host has and uses, as its NodeManager tells it. What is not told is {@link
 * Figures#UNKNOWN}; a rate needs two readings.
 *
 * @param cores processors of the host
 * @param cpuMillis how many of them are busy, in thousandths
 * @param memory the host's, in bytes
 * @param memoryAvailable of it what programs can still get without swapping, in bytes
 * @param networkIn received from other hosts, bytes per second
 * @param networkOut sent to other hosts, bytes per second
 * @param disks how many disks the next three numbers are of
 * @param diskRead bytes per second
 * @param diskWritten bytes per second
 * @param diskBusyMillis how many disks are busy, in thousandths
 * @param localDirsUsedPercent how full the NodeManager's local folders are
 * @param badLocalDirs how many of them are out of use
 */
public record HostSample(
    long cores,
    long cpuMillis,
    long memory,
    long memoryAvailable,
    long networkIn,
    long networkOut,
    long disks,
    long diskRead,
    long diskWritten,
    long diskBusyMillis,
    long localDirsUsedPercent,
    long badLocalDirs) {}
