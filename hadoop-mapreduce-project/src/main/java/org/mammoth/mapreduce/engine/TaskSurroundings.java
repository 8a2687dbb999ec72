package org.mammoth.mapreduce.engine;

import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.isolation.LeakPurge;

/** What all tasks of an engine share: one object to hand over instead of five. */
record TaskSurroundings(
    FileSystemStatistics statistics,
    EngineVitals vitals,
    JobConfs jobConfs,
    JobLoaders loaders,
    LeakPurge purge,
    NodeMemory memory,
    Duration killGrace) {

  TaskSurroundings(Configuration conf, FileSystemStatistics statistics, EngineVitals vitals) {
    this(conf, statistics, vitals, new LeakPurge());
  }

  private TaskSurroundings(
      Configuration conf, FileSystemStatistics statistics, EngineVitals vitals, LeakPurge purge) {
    this(
        statistics,
        vitals,
        new JobConfs(),
        new JobLoaders(purge),
        purge,
        new NodeMemory(),
        Duration.ofMillis(EngineKeys.KILL_GRACE_MS.get(conf)));
  }
}
