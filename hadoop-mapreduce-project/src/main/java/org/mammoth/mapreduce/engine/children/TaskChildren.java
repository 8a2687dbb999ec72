// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.children;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.util.ResourceCalculatorProcessTree;

/**
 * The processes that a task has started, and those that they have. In an ordinary container they
 * are in its process group: they count against its memory and as its processor time, and are ended
 * with it. Here they are the engine's children, so the same is done for them one by one.
 *
 * <p>Thread-safe. Costs nothing as long as a task has started none.
 */
public final class TaskChildren {

  /** Processes that have been there for so many looks are none that are about to become another. */
  private static final int SETTLED = 1;

  /** Until the kernel has taken back the memory of one that is killed. */
  private static final long DYING_MAY_TAKE_MS = 5_000;

  private final BooleanSupplier any;
  private final Supplier<List<ProcessHandle>> started;
  private final ProcessGroup group;
  private final ParentTasks parents;
  private final Function<String, ResourceCalculatorProcessTree> trees;

  @GuardedBy("this")
  private final Map<ProcessHandle, ResourceCalculatorProcessTree> seen = new HashMap<>();

  @GuardedBy("this")
  private final Set<ProcessHandle> asked = new HashSet<>();

  @GuardedBy("this")
  private long endedCpuMs;

  /**
   * The children of one task.
   *
   * @param any whether it has ever started one
   * @param started those that it has started itself and that are alive
   * @param group tells which other processes belong to it
   * @param parents the tasks of the engine
   * @param trees looks at a process and those below it, by its number
   */
  public TaskChildren(
      BooleanSupplier any,
      Supplier<List<ProcessHandle>> started,
      ProcessGroup group,
      ParentTasks parents,
      Function<String, ResourceCalculatorProcessTree> trees) {
    this.any = any;
    this.started = started;
    this.group = group;
    this.parents = parents;
    this.trees = trees;
    parents.began(this);
  }

  /** Whether the task has ever started a process. */
  boolean hasAny() {
    return any.getAsBoolean();
  }

  /** Reads what they use now; some milliseconds for each. */
  public synchronized void look() {
    Set<ProcessHandle> alive = new HashSet<>(started.get());
    for (ProcessHandle child : alive) {
      seen.computeIfAbsent(child, each -> trees.apply(String.valueOf(each.pid())))
          .updateProcessTree();
    }
    for (ProcessHandle each : List.copyOf(seen.keySet())) {
      if (!alive.contains(each)) {
        endedCpuMs += cpuMs(seen.remove(each));
      }
    }
  }

  /** Processor time of all that have been seen, as far as it has been, ms. */
  public synchronized long cpuMs() {
    long total = endedCpuMs;
    for (ResourceCalculatorProcessTree tree : seen.values()) {
      total += cpuMs(tree);
    }
    return total;
  }

  private static long cpuMs(ResourceCalculatorProcessTree tree) {
    return Math.max(0, tree.getCumulativeCpuTime());
  }

  /** How many the task itself had running when last looked at. */
  public synchronized int count() {
    return seen.size();
  }

  /** Resident memory when last looked at, bytes. */
  public synchronized long residentBytes() {
    return residentBytes(0);
  }

  private synchronized long residentBytes(int olderThan) {
    long total = 0;
    for (ResourceCalculatorProcessTree tree : seen.values()) {
      total += Math.max(0, tree.getRssMemorySize(olderThan));
    }
    return total;
  }

  /**
   * Whether they use more memory than they may, by the rule of upstream's {@code
   * ContainersMonitorImpl}: twice as much at once, or more for two looks.
   */
  public synchronized boolean exceed(long bytes) {
    return residentBytes() > 2 * bytes || residentBytes(SETTLED) > bytes;
  }

  /** A table of them, for people. */
  public synchronized String table() {
    StringBuilder all = new StringBuilder();
    seen.values().forEach(tree -> all.append(tree.getProcessTreeDump()));
    return all.toString();
  }

  /** Asks all that are left to end, each once; whether there are any. */
  public boolean terminate() {
    List<ProcessHandle> left = left();
    askToEnd(left);
    return !left.isEmpty();
  }

  private synchronized void askToEnd(List<ProcessHandle> processes) {
    asked.removeIf(each -> !each.isAlive());
    // To many programs a second signal says that they have no time to end in order.
    for (ProcessHandle each : processes) {
      if (asked.add(each)) {
        each.destroy();
      }
    }
  }

  /**
   * Waits for those that have been asked to end, kills the others, and waits until they are gone.
   *
   * @param ms how long they have to end in order
   */
  public void killAfter(long ms) throws InterruptedException {
    killAfter(ms, this::left);
  }

  private static void killAfter(long ms, Supplier<List<ProcessHandle>> those)
      throws InterruptedException {
    if (!areGoneAfter(ms, those.get())) {
      List<ProcessHandle> late = those.get();
      late.forEach(ProcessHandle::destroyForcibly);
      areGoneAfter(DYING_MAY_TAKE_MS, late);
    }
  }

  private static boolean areGoneAfter(long ms, List<ProcessHandle> processes)
      throws InterruptedException {
    CompletableFuture<?>[] ends =
        processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(ends).get(ms, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException | ExecutionException e) {
      return false;
    }
  }

  /** Kills all that are left. */
  public void kill() {
    left().forEach(ProcessHandle::destroyForcibly);
  }

  /** Kills all that are left, and what may be: the task starts none any more. */
  public void end() {
    kill();
    parents.ended(this);
  }

  /**
   * Ends those that have left the group and have a pipe to the engine, which a process that ends
   * would have broken: as long as they do not read or close it, threads of the task wait.
   *
   * @param ms how long they have to end in order
   * @return whether there were any
   */
  public boolean endAtPipes(long ms) throws InterruptedException {
    List<ProcessHandle> atPipes = atPipes();
    askToEnd(atPipes);
    killAfter(ms, this::atPipes);
    return !atPipes.isEmpty();
  }

  private List<ProcessHandle> atPipes() {
    if (!any.getAsBoolean()) {
      return List.of();
    }
    Set<ProcessHandle> below = belowStarted();
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      return group.atPipes(all.toList(), below);
    }
  }

  private Set<ProcessHandle> belowStarted() {
    Set<ProcessHandle> below = new HashSet<>();
    for (ProcessHandle child : started.get()) {
      below.add(child);
      child.descendants().forEach(below::add);
    }
    return below;
  }

  /**
   * Those of the task's process group that are alive, also where who started them has ended. One
   * that has no sign of its task, and is below none, is taken for the task's if it can be no other
   * one's; else it stays until the last task that may have started it ends.
   */
  private List<ProcessHandle> left() {
    if (!any.getAsBoolean()) {
      return List.of();
    }
    Set<ProcessHandle> below = belowStarted();
    List<ProcessHandle> left = new ArrayList<>();
    List<ProcessHandle> nobodys = new ArrayList<>();
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      all.forEach(
          each -> {
            if (group.contains(each.pid(), below.contains(each))) {
              left.add(each);
            } else if (group.isNobodys(each)) {
              nobodys.add(each);
            }
          });
    }
    // In this order: what was there before a task started its first process is not that task's.
    if (parents.isOnly(this)) {
      left.addAll(nobodys);
    }
    return left;
  }
}
