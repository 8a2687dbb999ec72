// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine;

import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.isolation.LeakPurge;
import org.mammoth.mapreduce.events.MapEventsTable;

/** What all tasks of an engine share: one object to hand over instead of many. */
record TaskSurroundings(
    FileSystemStatistics statistics,
    EngineVitals vitals,
    JobConfs jobConfs,
    JobLoaders loaders,
    LeakPurge purge,
    NodeMemory memory,
    MapEventsTable mapEvents,
    Duration killGrace) {

  /**
   * @param memory for intermediate data; null in an engine that runs no tasks
   */
  TaskSurroundings(
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
        Duration.ofMillis(EngineKeys.KILL_GRACE_MS.get(conf)));
  }
}
