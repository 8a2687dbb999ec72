// SPDX-License-Identifier: Apache-2.0
/**
 * What stands beside upstream's tests in their JVM. Of MapReduce: a thread that asks the
 * NodeManagers how many tasks their engines took ({@code EngineProof}). Of HDFS: an SSD cache for
 * each DataNode that reads wait for ({@code CachedDatasetFactory}), or a task whose client is the
 * engine's ({@code TestsOfATask}), and how much came from either ({@code HdfsProof}).
 */
package org.mammoth.upstream;
