// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/**
 * A DataNode's disks, as the NameNode tells it.
 *
 * @param capacity bytes
 * @param remaining bytes that HDFS can still write
 * @param failedVolumes how many of its disks have failed
 */
public record DfsSpace(long capacity, long remaining, long failedVolumes) {}
