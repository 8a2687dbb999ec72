// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import java.util.HashMap;
import java.util.Map;

/**
 * How much of a memory may wait for one disk: as much as all disks together leave free, but one
 * piece always. So a disk that hangs gets half, a second one half of the rest, and something is
 * left for what lies in memory. Not safe for concurrent use.
 */
final class DiskShare {

  private final long total;
  private final Map<String, Long> waiting = new HashMap<>();
  private long sum;

  DiskShare(long total) {
    this.total = total;
  }

  /** Whether {@code bytes} more may wait for {@code disk}. */
  boolean may(String disk, long bytes) {
    long its = waiting.getOrDefault(disk, 0L);
    return disk.equals(Readers.MEMORY) || its == 0 || its + bytes <= total - sum;
  }

  void begin(String disk, long bytes) {
    if (!disk.equals(Readers.MEMORY) && bytes > 0) {
      waiting.merge(disk, bytes, Long::sum);
      sum += bytes;
    }
  }

  void end(String disk, long bytes) {
    if (!disk.equals(Readers.MEMORY) && bytes > 0) {
      waiting.computeIfPresent(disk, (name, its) -> its == bytes ? null : (Long) (its - bytes));
      sum -= bytes;
    }
  }
}
