// SPDX-License-Identifier: Apache-2.0
/**
 * HDFS as tasks of an engine see it: what they write is kept in the data cache and read from there
 * ({@code KeptOutputStream}, {@code KeptBlockReader}), and on a node with spinning disks blocks of
 * the node's own DataNode take turns with the engine's files ({@code AheadBlockReader}). In this
 * package because the parts of {@code DFSInputStream}, {@code DFSOutputStream} and {@code
 * DFSClient} that it extends are package-private.
 *
 * <p>A stream is for its reader's or writer's thread; the disk's threads read ahead of it ({@code
 * BlockSource}). Whatever fails goes back to upstream's own readers.
 */
package org.apache.hadoop.hdfs;
