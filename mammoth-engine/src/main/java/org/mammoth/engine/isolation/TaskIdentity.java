// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * What a task is to the programs of its node: a number like a process's, an age, and children.
 * Thread-safe.
 */
public final class TaskIdentity {
  /** Linux gives processes lower numbers, so that a signal for one of these reaches nobody. */
  private static final int FIRST = 1 << 22;

  private static final int COUNT = Integer.MAX_VALUE - FIRST;

  private final long pid;
  private final LongSupplier nanos;
  private final long born;
  private final Queue<Process> children = new ConcurrentLinkedQueue<>();
  private volatile boolean startedChildren;

  TaskIdentity(String name, LongSupplier nanos) {
    // Programs name files by it, so that it must differ from that of all other tasks: the name,
    // an attempt's, does.
    long hash = 0;
    for (int i = 0; i < name.length(); i++) {
      hash = hash * 1_000_003 + name.charAt(i);
    }
    pid = (long) FIRST + Math.floorMod(hash, COUNT);
    this.nanos = nanos;
    born = nanos.getAsLong();
  }

  /** The caller's; null if no task calls. */
  public static TaskIdentity ofCaller() {
    TaskProcess process = Owners.callerOrNull();
    return process == null ? null : process.identity();
  }

  /** Between 2^22 and 2^31; the same each time, and another one for each attempt. */
  public long pid() {
    return pid;
  }

  /** Milliseconds since the task began. */
  public long age() {
    return Duration.ofNanos(nanos.getAsLong() - born).toMillis();
  }

  /** It is about to start a process, which may have others before it is noted. */
  public void starts() {
    startedChildren = true;
  }

  /** Notes a child, and forgets those that have ended. */
  public Process started(Process child) {
    children.removeIf(each -> !each.isAlive());
    children.add(child);
    return child;
  }

  /** Whether it has ever started a process, or has tried to. */
  public boolean hasStartedChildren() {
    return startedChildren;
  }

  /** The processes that it has started itself and that are alive. */
  public List<ProcessHandle> children() {
    return children.stream().filter(Process::isAlive).map(Process::toHandle).toList();
  }

  /** Closes the task's ends of pipes to those that are alive, as when its process ends. */
  public void closePipes() {
    children.stream().filter(Process::isAlive).forEach(ChildPipes::close);
  }
}
