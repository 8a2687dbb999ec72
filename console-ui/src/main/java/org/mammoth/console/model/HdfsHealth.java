// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

/**
 * HDFS as its active NameNode tells it; null what it does not tell.
 *
 * @param nameNode the origin of the NameNode's pages
 * @param safeMode why it is in safe mode; empty if it is not
 * @param capacity bytes of all DataNodes
 * @param remaining bytes that can still be written
 * @param missingBlocks without any good copy
 * @param corruptBlocks with a bad copy
 * @param lowRedundancyBlocks with fewer copies than their files ask for
 * @param staleDataNodes that have sent no heartbeat for some time
 */
public record HdfsHealth(
    String nameNode,
    String safeMode,
    Long capacity,
    Long remaining,
    Long files,
    Long blocks,
    Long missingBlocks,
    Long corruptBlocks,
    Long lowRedundancyBlocks,
    Long liveDataNodes,
    Long staleDataNodes,
    Long deadDataNodes) {}
