// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import java.util.Map;

/** A DataNode's part of the SSD cache, as {@code Hadoop:service=DataNode,name=MpCacheSlave}. */
public interface SlaveMXBean {

  /** Opens of blocks that were served from SSD. */
  long getHits();

  /** Opens of blocks that were not. */
  long getMisses();

  /** Lengths of the blocks of all hits. */
  long getHitBlockBytes();

  /** Lengths of the blocks of all misses. */
  long getMissBlockBytes();

  /** Hits as part of all opens, each weighed with the length of its block; 0 without any. */
  double getByteHitRate();

  /** Bytes sent from SSD; what clients read through descriptors of their own is not in it. */
  long getServedBytes();

  /** Fills by how they ended. */
  Map<String, Long> getFills();

  /** Copies that have left, by reason. */
  Map<String, Long> getEvictions();

  /** Blocks waiting to be filled or verified, or for their readers to end before that. */
  int getFillsWaiting();

  /** Copies there are, verified or not. */
  int getCopies();

  /** Bytes by class: capacity and use of input, localized data and pool. */
  Map<String, Long> getSpace();

  /** SSD directories, each with "ok" or why it is left out. */
  Map<String, String> getDirectories();

  /** Epoch of the master obeyed last; Long.MIN_VALUE before the first. */
  long getMasterEpoch();

  /** The guard value in force. */
  double getGuard();

  /** How fast copies are filled at most, bytes per second; 0 is without limit. */
  long getFillBytesPerSecond();

  /**
   * What {@code hdfs dfsadmin -reconfig datanode} last changed of the cache's settings, or why it
   * changed nothing; "" before the first time.
   */
  String getLastReconfiguration();
}
