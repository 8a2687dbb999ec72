// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.heap;

import java.util.List;

/** A task of an engine, as the keeper of the shared heap sees it. Thread-safe. */
public interface HeapTenant {

  /** The name of its thread group, unique among the running ones. */
  String name();

  /** The largest heap its process would have had, bytes. */
  long promisedBytes();

  /** Its threads that are alive now. */
  List<Thread> heapThreads();

  /**
   * Ends it for want of memory, as its process would have ended; called on a thread of the engine.
   * Does nothing if it is ending already.
   *
   * @param error for its log and its ApplicationMaster
   */
  void failForMemory(OutOfMemoryError error);

  /** Whether {@link #yieldForMemory} would have its work done again, and not just ended. */
  default boolean mayYield() {
    return true;
  }

  /** Ends it to be run again: the heap is too small for all, and it has done nothing wrong. */
  void yieldForMemory(String why);
}
