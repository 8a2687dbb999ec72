// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.master;

/** The master of the SSD cache, as {@code Hadoop:service=NameNode,name=MpCacheMaster}. */
public interface MasterMXBean {

  /** Whether this NameNode is active; everything below is empty or 0 while it is not. */
  boolean isActive();

  /** Totals and slaves, the same JSON object as {@code hdfs mpcache -report -json}. */
  String getReport();

  /** Block reads slaves served from SSD since this master began. */
  long getHits();

  /** Block reads they did not. */
  long getMisses();

  /** Reads of whole data sets that began with every block cached, as part of all; 0 without any. */
  double getDataSetCompleteRate();

  /** Data sets with at least one block cached. */
  int getCachedDataSets();

  /** Data sets wholly cached. */
  int getCompleteDataSets();

  /**
   * What {@code hdfs dfsadmin -reconfig namenode} last changed of the cache's settings, or why it
   * changed nothing; "" before the first time. Also on a standby.
   */
  String getLastReconfiguration();

  /** Times the namesystem's read lock was taken. */
  long getLockBatches();

  /** Mean time the lock was held, µs; 0 if it never was. */
  double getLockMeanMicros();

  /** Longest time it was held at once, µs. */
  double getLockLongestMicros();
}
