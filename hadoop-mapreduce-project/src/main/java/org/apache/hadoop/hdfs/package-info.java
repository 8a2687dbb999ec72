/**
 * HDFS as tasks of an engine read it on a node with spinning disks: blocks of the node's own
 * DataNode take turns with the engine's files. In this package because the parts of {@code
 * DFSInputStream} and {@code DFSClient} that it extends are package-private.
 *
 * <p>A stream is for its reader's thread; the disk's threads read ahead of it ({@code
 * BlockSource}). Whatever fails goes back to upstream's own readers.
 */
package org.apache.hadoop.hdfs;
