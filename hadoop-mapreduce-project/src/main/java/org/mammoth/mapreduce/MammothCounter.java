package org.mammoth.mapreduce;

/** Counters that Mammoth adds to a job; a job that ran wholly in engines has none. */
public enum MammothCounter {
  /** Tasks that ran in ordinary containers though the engine was on. */
  ENGINE_FALLBACKS
}
