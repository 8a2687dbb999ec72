// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.heap;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Bytes that the threads of one task have allocated. What a thread allocates between the last look
 * and its end is missing. Thread-safe.
 */
public final class AllocationMeter {

  private final ThreadMXBean threads =
      ManagementFactory.getThreadMXBean() instanceof ThreadMXBean known ? known : null;

  @GuardedBy("this")
  private final Map<Long, Long> byThread = new HashMap<>();

  /** Takes note of what these threads have allocated, and says what all have so far. */
  synchronized long look(List<Thread> alive) {
    if (threads == null) {
      return Long.MAX_VALUE;
    }
    long[] ids = alive.stream().mapToLong(Thread::getId).toArray();
    long[] bytes = threads.getThreadAllocatedBytes(ids);
    for (int i = 0; i < ids.length; i++) {
      if (bytes[i] > 0) {
        byThread.merge(ids[i], bytes[i], Math::max);
      }
    }
    long sum = 0;
    for (long each : byThread.values()) {
      sum += each;
    }
    return sum;
  }
}
