// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.admission;

/**
 * What a task is taken to hold of the shared heap.
 *
 * @param task whose it is
 * @param promisedBytes what its process could have had
 * @param bytes the estimate
 */
public record HeapEstimate(String task, long promisedBytes, long bytes) {

  /** Bytes above what it was promised; negative below. */
  public long excess() {
    return bytes - promisedBytes;
  }
}
