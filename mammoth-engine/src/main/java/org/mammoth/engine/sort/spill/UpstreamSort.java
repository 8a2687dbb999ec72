// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.spill;

/**
 * What decides in which order upstream's {@code MapTask} leaves equal keys, and how often it
 * combines.
 *
 * @param bufferBytes of its buffer ({@code mapreduce.task.io.sort.mb}), a multiple of 16
 * @param spillBytes a spill begins when so many bytes of it are in use ({@code
 *     mapreduce.map.sort.spill.percent})
 * @param mergeFactor the most spills that are merged at a time ({@code
 *     mapreduce.task.io.sort.factor})
 */
public record UpstreamSort(int bufferBytes, int spillBytes, int mergeFactor) {

  /** What its buffer keeps of a record besides key and value, in bytes. */
  public static final int RECORD_BYTES = 16;

  /**
   * Whether its spills begin at the same records each time, however long writing them takes: no two
   * fit the buffer, and it is never quite full.
   */
  boolean isSteady() {
    return spillBytes >= bufferBytes / 2 && bufferBytes - spillBytes >= 4 * RECORD_BYTES;
  }
}
