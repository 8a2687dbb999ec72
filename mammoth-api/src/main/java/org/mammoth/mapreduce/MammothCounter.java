// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce;

/** Counters that Mammoth adds to a job, each only if it is not 0. */
public enum MammothCounter {
  /** Tasks that ran in ordinary containers though the engine was on. */
  ENGINE_FALLBACKS,
  /** Bytes of HDFS files that tasks read from the data cache; they count as read from HDFS too. */
  DATA_CACHE_BYTES
}
