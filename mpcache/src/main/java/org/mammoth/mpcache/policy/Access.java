// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.policy;

/**
 * One read of one block.
 *
 * @param dataSet the set the reader reads
 * @param setBlocks blocks of that set at this moment, at least 1
 * @param setBytes bytes of that set at this moment
 * @param begins whether this is the first block of a round: a job, or another pass, opened the set
 * @param pinned whether the set's path is pinned
 * @param blockId the block
 * @param bytes its length
 * @param node number of the node that read it
 */
public record Access(
    DataSetId dataSet,
    int setBlocks,
    long setBytes,
    boolean begins,
    boolean pinned,
    long blockId,
    long bytes,
    int node) {}
