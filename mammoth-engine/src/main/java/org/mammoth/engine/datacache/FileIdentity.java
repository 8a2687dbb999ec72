// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

/**
 * What a closed file of HDFS is, whatever it is called: its last block and its length. A block that
 * is complete never changes under one generation stamp, and blocks are only ever added and taken
 * away at a file's end, so that two files of one length that end in the same block are the same
 * bytes. Append, truncate and overwrite change the last block or its stamp; rename, snapshots and
 * permissions change nothing.
 *
 * @param pool the block pool
 * @param block id of the last block
 * @param stamp its generation stamp
 * @param blockLength its bytes
 * @param length bytes of the file
 */
public record FileIdentity(String pool, long block, long stamp, long blockLength, long length) {}
