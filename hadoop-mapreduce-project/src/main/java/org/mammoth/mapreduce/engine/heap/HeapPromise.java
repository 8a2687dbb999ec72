// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.heap;

import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;

/** What heap a container's process would have had. */
public final class HeapPromise {

  private static final long MIB = 1L << 20;

  /** The default of mapreduce.job.heap.memory-mb.ratio, by which upstream sizes a heap itself. */
  private static final double USUAL_RATIO = 0.8;

  private HeapPromise() {}

  /** Bytes: the -Xmx of its command, which upstream always writes, or what that would be. */
  public static long of(ContainerLaunchSpec spec) {
    return spec.heapMb() > 0
        ? spec.heapMb() * MIB
        : Math.round(USUAL_RATIO * spec.memoryMb()) * MIB;
  }
}
