// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce;

/**
 * Which way map output came to reduces in engines. What the reduces shuffled beyond these was
 * fetched by upstream's fetchers.
 */
public enum MammothShuffleCounter {
  /** Segments of maps of the reduce's own node. */
  NODE_SEGMENTS,
  /** Segments that another node's engine pushed. */
  PUSHED_SEGMENTS,
  /** Segments that were fetched from another node's engine. */
  PULLED_SEGMENTS,
  /** Segments that stayed at their sources until they were merged. */
  LEVITATED_SEGMENTS,
  /** Bytes that reduces read from their own node's memory. */
  MEMORY_BYTES,
  /** Bytes that reduces read from their own node's map output files. */
  DISK_BYTES,
  /** Bytes that came from other nodes, pushed, fetched from engines, or by upstream's fetchers. */
  NETWORK_BYTES,
  /** Bytes of the pushed segments. */
  PUSHED_BYTES,
  /** Bytes of the segments that stayed at their sources. */
  LEVITATED_BYTES,
  /** Bytes that reduces fetched more than once. */
  REFETCHED_BYTES,
  /** Bytes of the levitated segments that their nodes merged and sent as one stream each. */
  NODE_MERGED_BYTES,
  /** Records of these. */
  NODE_MERGED_RECORDS,
  /** Segments that were merged singly though nodes were to merge them. */
  SINGLE_SEGMENTS,
  /** Bytes of other nodes' map output that reduces wrote to their own disks. */
  REDUCE_SPILLED_BYTES,
  /** Levitated segments that were merged by turns. */
  VIRTUAL_SEGMENTS
}
