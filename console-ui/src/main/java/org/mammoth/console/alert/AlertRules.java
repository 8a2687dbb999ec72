// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.config.ConfigKey;
import org.mammoth.config.names.KeyNames;
import org.mammoth.console.config.AlertKeys;

/** The rules that the configuration leaves on, with its thresholds. */
final class AlertRules {

  private final Configuration conf;
  private final List<AlertRule> rules = new ArrayList<>();

  private AlertRules(Configuration conf) {
    this.conf = conf;
  }

  /** The rules, the most critical first. */
  static List<AlertRule> of(Configuration conf) {
    AlertRules made = new AlertRules(conf);
    made.masters();
    made.nodes();
    made.engines();
    made.jobs();
    made.cache();
    made.rules.sort(java.util.Comparator.comparing(AlertRule::severity));
    return List.copyOf(made.rules);
  }

  private long of(ConfigKey<Long> key) {
    return key.get(conf);
  }

  private void add(
      String name,
      Severity severity,
      String page,
      long forSeconds,
      String meaning,
      String remedy,
      List<ConfigKey<Long>> keys,
      AlertRule.Judge judge) {
    // A key of 0 turns its rule off.
    if (keys.stream().allMatch(key -> of(key) > 0)) {
      List<String> names = keys.stream().map(ConfigKey::name).toList();
      rules.add(
          new AlertRule(name, severity, page, forSeconds * 1000, meaning, remedy, names, judge));
    }
  }

  private void masters() {
    long seconds = of(AlertKeys.MASTER_UNREACHABLE);
    add(
        "MasterUnreachable",
        Severity.CRITICAL,
        "nodes",
        seconds,
        "A ResourceManager or NameNode has not done its work for " + seconds + " s.",
        "Look at its log, and start it if it does not run. Until then the console shows"
            + " the nodes it knew.",
        List.of(AlertKeys.MASTER_UNREACHABLE),
        new NodeJudges.Masters());
  }

  private void nodes() {
    long seconds = of(AlertKeys.NODE_UNREACHABLE);
    add(
        "NodeUnreachable",
        Severity.CRITICAL,
        "nodes",
        seconds,
        "A node could not be read, or was LOST or UNHEALTHY to YARN, for " + seconds + " s.",
        "Look whether the host is up, its NodeManager runs and its disks have room; the"
            + " NodeManager's log says more.",
        List.of(AlertKeys.NODE_UNREACHABLE),
        new NodeJudges.Reach());
    disks();
    long versions = of(AlertKeys.MIXED_VERSIONS);
    add(
        "MixedVersions",
        Severity.INFO,
        "nodes",
        versions,
        "Nodes have run different versions for " + versions + " s.",
        "Finish the upgrade, or take it back; while one goes on, mute this.",
        List.of(AlertKeys.MIXED_VERSIONS),
        new NodeJudges.Versions());
  }

  private void disks() {
    long bad = of(AlertKeys.LOCAL_DIRS_BAD);
    add(
        "LocalDirsBad",
        Severity.WARNING,
        "health",
        bad,
        "A NodeManager has left local folders out for " + bad + " s.",
        "Make room or replace the disk. The NodeManager leaves out what is fuller than"
            + " yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage;"
            + " with too few left the node is UNHEALTHY.",
        List.of(AlertKeys.LOCAL_DIRS_BAD),
        new NodeJudges.LocalDirs());
    long failed = of(AlertKeys.VOLUME_FAILED);
    add(
        "VolumeFailed",
        Severity.WARNING,
        "health",
        failed,
        "Disks of a DataNode have failed for " + failed + " s.",
        "Replace the disk; HDFS copies its blocks meanwhile. The DataNode ends if more have failed"
            + " than dfs.datanode.failed.volumes.tolerated.",
        List.of(AlertKeys.VOLUME_FAILED),
        new NodeJudges.Volumes());
  }

  private void engines() {
    long died = of(AlertKeys.ENGINE_DIED);
    add(
        "EngineDied",
        Severity.CRITICAL,
        "nodes",
        0,
        "An engine ended while it ran tasks, within the last " + died + " s.",
        "Its tasks are run again. The engine's own output and the NodeManager's log say"
            + " why it ended; a support bundle of the node has both. Where memory ran out, "
            + "see "
            + KeyNames.ENGINE_MEMORY_MB
            + " and "
            + KeyNames.HEAP_FRACTION
            + ".",
        List.of(AlertKeys.ENGINE_DIED),
        new EngineJudges.Died(died * 1000));
    long tasks = of(AlertKeys.CONTAINER_TASKS);
    add(
        "TasksInContainers",
        Severity.WARNING,
        "nodes",
        0,
        tasks + " tasks of a node or more ran in ordinary containers within 15 minutes.",
        "The node's page and docs/troubleshooting.md say what each reason means.",
        List.of(AlertKeys.CONTAINER_TASKS),
        new EngineJudges.Fallbacks(tasks));
    long pressure = of(AlertKeys.MEMORY_PRESSURE);
    add(
        "MemoryPressure",
        Severity.WARNING,
        "memory",
        pressure,
        "The pool of an engine has been nearly full for " + pressure + " s.",
        "Maps spill and requests wait. Give engines more memory ("
            + KeyNames.ENGINE_MEMORY_MB
            + "), or run fewer tasks on the node. What counts as nearly full is "
            + KeyNames.HIGH_WATERMARK
            + ".",
        List.of(AlertKeys.MEMORY_PRESSURE),
        new EngineJudges.Pressure());
    long age = of(AlertKeys.SPILL_BACKLOG_AGE);
    long backlog = of(AlertKeys.SPILL_BACKLOG);
    add(
        "SpillBacklog",
        Severity.WARNING,
        "queues",
        backlog,
        "The oldest request at a disk has waited for over " + age + " s, for " + backlog + " s.",
        "Look into the kernel's log for errors of the disk, and for what else writes to"
            + " it. More disks in yarn.nodemanager.local-dirs share the load.",
        List.of(AlertKeys.SPILL_BACKLOG_AGE, AlertKeys.SPILL_BACKLOG),
        new EngineJudges.Backlog(age * 1000));
    long out = of(AlertKeys.DISK_OUT);
    add(
        "DiskOut",
        Severity.CRITICAL,
        "queues",
        out,
        "An engine has left a local directory out for " + out + " s.",
        "Make room or replace the disk; the engine tries the directory again by itself "
            + "("
            + KeyNames.QUARANTINE_TIME_MS
            + ", "
            + KeyNames.FULL_RETRY_MS
            + ").",
        List.of(AlertKeys.DISK_OUT),
        new EngineJudges.DirOut());
  }

  private void jobs() {
    long seconds = of(AlertKeys.JOB_FAILED);
    add(
        "JobFailed",
        Severity.WARNING,
        "jobs",
        0,
        "A job failed within the last " + seconds + " s.",
        "The job's page shows its tasks and leads to their logs.",
        List.of(AlertKeys.JOB_FAILED),
        new JobFailed(seconds * 1000));
  }

  private void cache() {
    long percent = of(AlertKeys.HIT_RATE_DROP);
    long seconds = of(AlertKeys.HIT_RATE);
    add(
        "CacheHitRateFell",
        Severity.WARNING,
        "cache",
        seconds,
        "The share of block reads from SSD over 15 minutes has been "
            + percent
            + " % below the day's before for "
            + seconds
            + " s.",
        "New data sets, a DataNode that lost its cache, and jobs that read more than "
            + "fits do that. The cache's page shows what was displaced and why, and what more"
            + " space would do.",
        List.of(AlertKeys.HIT_RATE_DROP, AlertKeys.HIT_RATE),
        new HitRateFell(percent / 100.0));
  }
}
