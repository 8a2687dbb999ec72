// SPDX-License-Identifier: Apache-2.0
/**
 * What a DataNode needs to serve a cached copy in place of a replica: the look-up's interface,
 * copies whose every byte is compared before it leaves, the replica's own checksums, and who reads.
 *
 * <p>A stream is for the thread that serves its reader. {@code ReadCache} and {@code Replicas} are
 * for any thread, and nothing of them throws into the DataNode.
 */
package org.mammoth.hdfs.replicas;
