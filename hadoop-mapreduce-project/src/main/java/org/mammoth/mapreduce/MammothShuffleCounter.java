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
  /** Bytes that reduces read from their own node's memory. */
  MEMORY_BYTES,
  /** Bytes that reduces read from their own node's map output files. */
  DISK_BYTES,
  /** Bytes that came from other nodes, pushed, fetched from engines, or by upstream's fetchers. */
  NETWORK_BYTES
}
