// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Who has asked for a process's end, and which of its threads a process would have no more. The
 * first request counts. Thread-safe.
 */
final class ProcessExit {
  /** What a thread unwinds with whose process has ended though nobody in it asked for that. */
  private static final int KILLED = 137;

  private record Request(int status, boolean halt) {}

  /** Threads that have asked for the end, and unwind. */
  private final Set<Thread> leaving = ConcurrentHashMap.newKeySet();

  private final AtomicReference<Request> first = new AtomicReference<>();
  private volatile boolean still;

  /** The calling thread unwinds. */
  void leave() {
    leaving.add(Thread.currentThread());
  }

  /**
   * The calling thread asks for the end; whether it is the first, and the process has not ended.
   */
  boolean request(int status, boolean halt) {
    leave();
    return !still && first.compareAndSet(null, new Request(status, halt));
  }

  /** The process has ended. */
  void standStill() {
    still = true;
  }

  /** Whether the calling thread would be gone in a process, or stand still for ever. */
  boolean isOver() {
    return still || isUnwinding();
  }

  /**
   * Whether the calling thread unwinds where it would stand still in a process, which may go on
   * without it.
   */
  boolean isUnwinding() {
    return halted() || !leaving.isEmpty() && leaving.contains(Thread.currentThread());
  }

  /** The status that its threads unwind with. */
  int lastWord() {
    return status().orElse(KILLED);
  }

  /** The status of the first request, if there was one. */
  OptionalInt status() {
    Request asked = first.get();
    return asked == null ? OptionalInt.empty() : OptionalInt.of(asked.status());
  }

  /** Whether the first request skips hooks. */
  boolean halted() {
    Request asked = first.get();
    return asked != null && asked.halt();
  }
}
