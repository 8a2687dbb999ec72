// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.util.ResourceCalculatorProcessTree;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.mapreduce.engine.children.TaskChildren;

/**
 * What an in-engine task answers when asked for its process's resources. CPU time is that of the
 * task's threads, as last seen of those that have ended: work of a thread that lived and died
 * between two looks, and of the JVM's collector and compiler, is missing. Memory is the engine's
 * resident set divided by the tasks in it; there is no truer number for a thread. Processes that
 * the task has started count as they do on stock.
 *
 * <p>Made by upstream's Task on the task's own thread, through {@code
 * mapreduce.job.process-tree.class}.
 */
public final class TaskProcessTree extends ResourceCalculatorProcessTree {

  private static final long NANOS_PER_MS = 1_000_000;

  private final TaskProcess task = TaskProcess.currentOrNull();
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  @GuardedBy("this")
  private final Map<Long, Long> nanosByThread = new HashMap<>();

  @GuardedBy("this")
  private long residentBytes;

  @GuardedBy("this")
  private long childrenCpuMs;

  /** As upstream constructs it; there is no process id. */
  public TaskProcessTree(String noPid) {
    super(noPid);
  }

  @Override
  public synchronized void updateProcessTree() {
    look(Thread.currentThread());
    task.liveThreads().forEach(this::look);
    if (task.listener() instanceof HostedContainer hosted) {
      residentBytes = hosted.shareOfResidentBytes();
      TaskChildren children = hosted.children();
      children.look();
      residentBytes += children.residentBytes();
      childrenCpuMs = children.cpuMs();
    }
  }

  @SuppressWarnings("GuardedBy") // updateProcessTree has the lock
  private void look(Thread thread) {
    long nanos = threads.getThreadCpuTime(thread.getId());
    if (nanos > 0) {
      nanosByThread.merge(thread.getId(), nanos, Math::max);
    }
  }

  @Override
  public synchronized long getCumulativeCpuTime() {
    long nanos = 0;
    for (long each : nanosByThread.values()) {
      nanos += each;
    }
    return nanos / NANOS_PER_MS + childrenCpuMs;
  }

  @Override
  public synchronized long getRssMemorySize(int olderThanAge) {
    return residentBytes;
  }

  @Override
  public synchronized long getVirtualMemorySize(int olderThanAge) {
    return residentBytes;
  }

  @Override
  public float getCpuUsagePercent() {
    return UNAVAILABLE;
  }

  @Override
  public String getProcessTreeDump() {
    return "threads of " + task;
  }

  @Override
  public boolean checkPidPgrpidForMatch() {
    return true;
  }
}
