// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Names one map attempt's output for one reduce. Two attempts of a map never share a key, so their
 * bytes never mix. Immutable.
 *
 * @param job the job, as in {@code job_1700000000000_0001}
 * @param mapAttempt the map attempt that wrote the output
 * @param partition the reduce it is for, from 0
 */
public record SegmentKey(String job, String mapAttempt, int partition) {

  /**
   * The key as bytes, for checksums that bind data to what it belongs to. No two keys have the same
   * bytes.
   */
  public byte[] bytes() {
    byte[] jobBytes = job.getBytes(StandardCharsets.UTF_8);
    byte[] attemptBytes = mapAttempt.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(12 + jobBytes.length + attemptBytes.length)
        .putInt(jobBytes.length)
        .put(jobBytes)
        .putInt(attemptBytes.length)
        .put(attemptBytes)
        .putInt(partition)
        .array();
  }

  @Override
  public String toString() {
    return mapAttempt + " partition " + partition + " of " + job;
  }
}
