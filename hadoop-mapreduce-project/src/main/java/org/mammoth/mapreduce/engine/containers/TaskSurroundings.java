// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.util.ProcfsBasedProcessTree;
import org.apache.hadoop.yarn.util.ResourceCalculatorProcessTree;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.purge.LeakPurge;
import org.mammoth.mapreduce.engine.children.ParentTasks;
import org.mammoth.mapreduce.engine.children.ProcessGroup;
import org.mammoth.mapreduce.engine.children.TaskChildren;
import org.mammoth.mapreduce.engine.jobs.FileSystemStatistics;
import org.mammoth.mapreduce.engine.jobs.JobConfs;
import org.mammoth.mapreduce.engine.jobs.JobLoaders;
import org.mammoth.mapreduce.engine.memory.NodeMemory;
import org.mammoth.mapreduce.events.MapEventsTable;

/** What all tasks of an engine share: one object to hand over instead of many. */
public record TaskSurroundings(
    FileSystemStatistics statistics,
    EngineVitals vitals,
    JobConfs jobConfs,
    JobLoaders loaders,
    LeakPurge purge,
    NodeMemory memory,
    MapEventsTable mapEvents,
    ParentTasks parents,
    Duration killGrace,
    Configuration conf) {

  private static final Path PROC = Path.of("/proc");

  /**
   * @param memory for intermediate data; null in an engine that runs no tasks
   */
  public TaskSurroundings(
      Configuration conf, FileSystemStatistics statistics, EngineVitals vitals, NodeMemory memory) {
    this(conf, statistics, vitals, memory, new LeakPurge());
  }

  private TaskSurroundings(
      Configuration conf,
      FileSystemStatistics statistics,
      EngineVitals vitals,
      NodeMemory memory,
      LeakPurge purge) {
    this(
        statistics,
        vitals,
        new JobConfs(),
        new JobLoaders(purge),
        purge,
        memory,
        new MapEventsTable(System::nanoTime),
        new ParentTasks(),
        Duration.ofMillis(EngineKeys.KILL_GRACE_MS.get(conf)),
        conf);
  }

  /** The processes that a task will start. */
  TaskChildren childrenOf(TaskProcess task, String containerId) {
    return new TaskChildren(
        task.identity()::hasStartedChildren,
        task.identity()::children,
        new ProcessGroup(PROC, ProcessHandle.current(), containerId),
        parents,
        this::treeOf);
  }

  private ResourceCalculatorProcessTree treeOf(String pid) {
    ResourceCalculatorProcessTree tree = new ProcfsBasedProcessTree(pid);
    tree.setConf(conf);
    return tree;
  }

  /** How long the children of a task have between the first signal and the second. */
  Duration childGrace() {
    return Duration.ofMillis(
        conf.getLong(
            YarnConfiguration.NM_SLEEP_DELAY_BEFORE_SIGKILL_MS,
            YarnConfiguration.DEFAULT_NM_SLEEP_DELAY_BEFORE_SIGKILL_MS));
  }
}
