// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.Set;

/**
 * Reads since the last heartbeat. A client that reads a block in pieces opens it anew for each; the
 * master hears of it once per heartbeat.
 *
 * <p>Safe for any thread.
 */
final class RecentReads {

  private record Read(long blockId, String reader) {}

  private final int bound;

  @GuardedBy("this")
  private final Set<Read> reads = new HashSet<>();

  /**
   * @param bound reads remembered; beyond it each counts as the first
   */
  RecentReads(int bound) {
    this.bound = bound;
  }

  /** Whether this reader has not read this block since the last heartbeat. */
  synchronized boolean first(long blockId, String reader) {
    return reads.size() >= bound || reads.add(new Read(blockId, reader));
  }

  synchronized void clear() {
    reads.clear();
  }
}
