// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import java.util.List;
import java.util.Map;
import org.mammoth.console.live.Attention;
import org.mammoth.console.live.NodeRow;
import org.mammoth.console.model.CacheMasterSample;
import org.mammoth.console.model.CacheSample;
import org.mammoth.console.model.Decision;
import org.mammoth.console.model.DiskSample;
import org.mammoth.console.model.JobSample;
import org.mammoth.console.model.NodeState;
import org.mammoth.console.model.ReduceInput;

/** The shapes of the interface's answers; the OpenAPI document is made from them. */
final class Views {

  private Views() {}

  /**
   * Who asks, and what this console is.
   *
   * @param noActions why an administrator may not act in this session; empty if nothing is in the
   *     way, or who asks is none
   */
  record About(
      String version,
      String hadoop,
      String user,
      boolean admin,
      boolean all,
      String noActions,
      long timeMs,
      String resourceManager,
      String historyServer,
      List<String> bufferKinds,
      List<String> nodeColumns,
      List<String> jobColumns,
      List<String> diskColumns,
      long historyBytes) {}

  /**
   * The cluster in one screen.
   *
   * @param startedMs when this console started; with another, another process answers
   */
  record Overview(
      long sequence,
      long startedMs,
      long timeMs,
      Map<String, String> masters,
      Map<String, Long> reach,
      long[] totals,
      List<JobRow> jobs,
      List<Attention> attention,
      int attentionGroups,
      CacheCounts cache,
      String trouble) {}

  /** One group of what needs attention, and all nodes or jobs it is about. */
  record Cause(long timeMs, Attention item, List<String> subjects) {}

  /** The cache master's counts, without its data sets. */
  record CacheCounts(
      String policy,
      long knownSets,
      long cachedSets,
      long completeSets,
      long hits,
      long misses,
      long rounds,
      long roundsComplete) {

    static CacheCounts of(CacheMasterSample master) {
      return master == null
          ? null
          : new CacheCounts(
              master.policy(),
              master.knownSets(),
              master.cachedSets(),
              master.completeSets(),
              master.hits(),
              master.misses(),
              master.rounds(),
              master.roundsComplete());
    }
  }

  /**
   * A job, with what it holds by JobUse's columns; null where that is not known.
   *
   * @param past null while the job runs
   */
  record JobRow(JobSample job, long[] use, JobPast past) {}

  /**
   * The most a job held at any time, as far as it was recorded.
   *
   * @param fromMs first moment that was recorded
   * @param toMs last one
   * @param peaks by JobUse's columns; null where nothing was recorded
   * @param untold why nothing is known; else empty
   */
  record JobPast(long fromMs, long toMs, long[] peaks, String untold) {}

  /** All nodes in rows. */
  record Nodes(long sequence, long timeMs, List<String> columns, List<NodeRow> nodes) {}

  /** One node whole. */
  record Node(NodeState node, NodeRow row, List<String> series) {}

  /**
   * A span of history.
   *
   * @param values one list for each column, of a number for each time, null where none is known
   * @param maxima the same of the largest values; null at the grain of a second
   */
  record Series(
      String key,
      long fromMs,
      long toMs,
      long grainMs,
      List<String> columns,
      List<Long> times,
      List<long[]> values,
      List<long[]> maxima) {}

  /** Decisions, newest first. */
  record Decisions(String node, long fromMs, long toMs, List<Decision> decisions) {}

  /**
   * The I/O queues of all nodes.
   *
   * @param silent nodes that should tell of queues and do not
   */
  record Queues(long timeMs, List<Queue> queues, List<Silent> silent) {}

  /** A node that does not tell, and why; the reason is empty if it was not asked yet. */
  record Silent(String node, String reason) {}

  /** The queues of one engine on one disk. */
  record Queue(String node, String engine, DiskSample disk) {}

  /** The SSD cache. */
  record Cache(long timeMs, CacheMasterSample master, List<Slave> slaves) {}

  /**
   * One node's SSD.
   *
   * @param cache null if it is not known
   * @param untold why it is not; else empty
   */
  record Slave(String node, CacheSample cache, String untold) {}

  /**
   * One job.
   *
   * @param reduceInput null if the job does not tell
   * @param past the most it held, up to now if it runs
   * @param others further attempts that were seen in engines: earlier ones and speculative ones
   * @param kept what is kept of a job that has ended; null if it is not recorded yet
   */
  record Job(
      long timeMs,
      JobSample job,
      List<NodeUse> nodes,
      List<Task> tasks,
      String tasksFrom,
      List<Counter> counters,
      ReduceInput reduceInput,
      JobPast past,
      List<Task> others,
      JobViews.Kept kept) {}

  /** What a job holds on one node, by JobUse's columns. */
  record NodeUse(String node, long[] use) {}

  /**
   * One task.
   *
   * @param where "engine" if an attempt was seen in one, "container" if its node said that it went
   *     to one, else "unknown"
   * @param reason completes "it runs in an ordinary container because"; empty if none is known
   * @param attempt the successful or the latest one, or empty
   * @param merge how a reduce gets hold of other nodes' output, as it said last; empty if it is not
   *     known
   */
  record Task(
      String id,
      String type,
      String state,
      long startedMs,
      long finishedMs,
      String attempt,
      String node,
      String where,
      String reason,
      String merge) {}

  /** One counter of a job. */
  record Counter(String group, String name, long map, long reduce, long total) {}

  /** One property of a daemon's configuration. */
  record Property(String name, String value, String source) {}

  /** A daemon's configuration in force, secrets masked. */
  record Settings(String node, List<Property> properties) {}

  /** A text of a daemon. */
  record Text(String node, String text) {}

  /** What became of an action. */
  record Outcome(String action, String subject, String outcome) {}

  /** Data sets the viewer may read. */
  record DataSets(long timeMs, List<DataSet> sets) {}

  /**
   * One data set, cached or not: what its last admission said, why copies of it last left and, if
   * the caller may know, for which other set; texts are empty where there is nothing to say.
   */
  record DataSet(
      String path,
      int blocks,
      long bytes,
      int cachedBlocks,
      long copyBytes,
      long accesses,
      long hits,
      double priority,
      boolean pinned,
      String admission,
      String evictedFor,
      String displacedBy) {}

  /** A trace of reads under other policies and sizes. */
  record WhatIf(long timeMs, int rounds, long blockReads, int slaves, List<WhatIfRun> runs) {}

  /** One of them; rates are 0..1, of blocks of a mean round, of all blocks, of whole rounds. */
  record WhatIfRun(
      String policy, double cacheGiB, double hitRate, double blockHitRate, double completeRate) {}

  /** A job among its earlier runs, the job itself first. */
  record Runs(long timeMs, List<Run> runs) {}

  /**
   * One run, with some of its counters' totals.
   *
   * @param reduceInput null if the run does not tell
   */
  record Run(
      String id,
      String state,
      long startedMs,
      long finishedMs,
      Map<String, Long> counters,
      ReduceInput reduceInput) {}
}
