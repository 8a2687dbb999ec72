// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

import java.nio.file.FileSystems;
import java.util.List;
import org.mammoth.config.ConfigKey;
import org.mammoth.config.ConfigKey.Scope;
import org.mammoth.config.ConfigKey.Tag;
import org.mammoth.config.KeyReference;
import org.mammoth.config.Keys;
import org.mammoth.config.names.KeyNames;

/** Every configuration key of the engine and of what starts, feeds and stops it. */
public final class EngineKeys {

  /** How the class loaders of user code are shared. */
  public enum LoaderReuse {
    /** Every attempt gets a loader of its own, as in a process of its own. */
    NONE,
    /** Attempts of one job that follow each other in one slot share a loader, and so statics. */
    SLOT
  }

  public static final ConfigKey<Boolean> ENABLED =
      ConfigKey.ofBoolean(
          KeyNames.ENGINE_ENABLED,
          true,
          Scope.JOB,
          "Whether MapReduce tasks run in the node's engine; false runs each in an ordinary"
              + " container, as stock Hadoop does.");

  public static final ConfigKey<Long> MEMORY_MB =
      ConfigKey.ofLong(
              KeyNames.ENGINE_MEMORY_MB,
              0,
              0,
              1L << 24,
              "MiB",
              Scope.NODE,
              "The engine's share of the node: its JVM is sized by it, and the sum of what the containers"
                  + " of in-engine tasks asked for never exceeds it. 0 means"
                  + " mammoth.engine.memory-fraction of yarn.nodemanager.resource.memory-mb for the JVM,"
                  + " and any task that YARN places on the node.")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Double> MEMORY_FRACTION =
      ConfigKey.ofFraction(
              "mammoth.engine.memory-fraction",
              0.85,
              Scope.NODE,
              "How large the engine's JVM is when mammoth.engine.memory-mb is 0, as a part of the"
                  + " NodeManager's memory; the rest is left to ApplicationMasters and ordinary"
                  + " containers.")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Double> HEAP_FRACTION =
      ConfigKey.ofFraction(
          KeyNames.HEAP_FRACTION,
          0.85,
          Scope.NODE,
          "The part of the engine's share that becomes its Java heap and its cache pool; the rest is"
              + " for metaspace, threads and compiled code.");

  public static final ConfigKey<Double> HEAP_LIMIT =
      ConfigKey.ofFraction(
          "mammoth.engine.heap-limit",
          0.75,
          Scope.NODE,
          "The part of the engine's Java heap that may be in use after a full collection. Above it"
              + " the task that is furthest above its own -Xmx fails as its process would have; if"
              + " none is above, the one that holds most is run again.");

  public static final ConfigKey<String> JAVA_OPTS =
      ConfigKey.ofString(
              "mammoth.engine.java.opts",
              "",
              Scope.NODE,
              "Options added to the engine's java command, after those Mammoth chooses. With an -Xmx the"
                  + " engine's heap has that size, and pool and elements must fit it.")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<String> JAVA_HOME =
      ConfigKey.ofString(
          KeyNames.ENGINE_JAVA_HOME,
          "",
          Scope.NODE,
          "Home of the Java that engines and hosts of ApplicationMasters run on, 17 or later; empty:"
              + " the NodeManager's. For clusters whose daemons are on Java 11. Tasks outside of"
              + " engines have the NodeManager's JAVA_HOME as ever.");

  public static final ConfigKey<Boolean> FAST_RECORDS =
      ConfigKey.ofBoolean(
          "mammoth.engine.fast-records",
          true,
          Scope.NODE,
          "Whether an engine has classes of Hadoop's that each record passes do their work faster:"
              + " Text, LineReader and those that count bytes; false leaves them as they are.");

  public static final ConfigKey<List<String>> SHARED_JARS =
      ConfigKey.ofList(
          KeyNames.SHARED_JARS,
          "",
          "globs of file names",
          Scope.NODE,
          "Jars of the NodeManager's class path that tasks share beside those of Hadoop and its"
              + " libraries, by file name, or by whole path if there is a slash. Of any other jar"
              + " each task has classes of its own, as a process would; name one if its classes keep"
              + " nothing of a job, set nothing of Hadoop's as they are initialised, and loading them for each task takes too long.",
          EngineKeys::glob);

  public static final ConfigKey<String> CDS_DIR =
      ConfigKey.ofString(
          "mammoth.cds.dir",
          "",
          Scope.NODE,
          "Folder of the class-data archive that engines, ApplicationMasters and ordinary task"
              + " containers start from, made by 'mammoth cds'; empty means var/cds of the release."
              + " Without an archive they start as ever.");

  public static final ConfigKey<Long> START_TIMEOUT_MS =
      ConfigKey.ofLong(
          KeyNames.START_TIMEOUT_MS,
          60_000,
          1_000,
          600_000,
          "ms",
          Scope.NODE,
          "How long a starting engine may take before its tasks go to ordinary containers.");

  public static final ConfigKey<Long> IDLE_TIMEOUT_MS =
      ConfigKey.ofLong(
              "mammoth.engine.idle.timeout-ms",
              600_000,
              1_000,
              Long.MAX_VALUE,
              "ms",
              Scope.NODE,
              "After this long without a task the supervisor stops an engine.")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Long> REHEARSAL_MS =
      ConfigKey.ofLong(
              "mammoth.engine.rehearsal.ms",
              4_000,
              0,
              600_000,
              "ms",
              Scope.NODE,
              "How long a new engine runs made-up tasks while it has none and the node has processors to"
                  + " spare, so that its JVM has compiled what tasks have in common when a job comes; 0"
                  + " switches this off.")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Double> REHEARSAL_LOAD =
      ConfigKey.ofFraction(
          "mammoth.engine.rehearsal.load",
          0.5,
          Scope.NODE,
          "The part of the node's processors that other processes may take for an engine to"
              + " rehearse; while they take more it waits.");

  public static final ConfigKey<Long> IDLE_YIELD_MS =
      ConfigKey.ofLong(
              KeyNames.IDLE_YIELD_MS,
              10_000,
              0,
              Long.MAX_VALUE,
              "ms",
              Scope.NODE,
              "After this long without a task an engine makes way when another user needs one; an engine"
                  + " that starts beside those of other users at work has its part of the node only."
                  + " It is replaced by a larger one when they have been idle for this long and it has"
                  + " no room for a task, or for six times as long and it is idle too.")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Long> HEALTH_TIMEOUT_MS =
      ConfigKey.ofLong(
          "mammoth.engine.health.timeout-ms",
          60_000,
          1_000,
          Long.MAX_VALUE,
          "ms",
          Scope.NODE,
          "An engine that has not answered for this long is killed; its tasks run again.");

  public static final ConfigKey<Long> ORPHAN_TIMEOUT_MS =
      ConfigKey.ofLong(
          "mammoth.engine.orphan.timeout-ms",
          600_000,
          1_000,
          Long.MAX_VALUE,
          "ms",
          Scope.NODE,
          "An engine that no NodeManager has asked for this long ends itself.");

  public static final ConfigKey<Long> KILL_GRACE_MS =
      ConfigKey.ofLong(
          "mammoth.engine.kill.grace-ms",
          5_000,
          100,
          60_000,
          "ms",
          Scope.NODE,
          "How long the threads of a killed task have to end before the engine is drained.");

  public static final ConfigKey<Long> RECYCLE_METASPACE_MB =
      ConfigKey.ofLong(
          "mammoth.engine.recycle.metaspace-mb",
          512,
          64,
          1L << 20,
          "MiB",
          Scope.NODE,
          "When the engine's metaspace grows beyond this the engine is drained and replaced.");

  public static final ConfigKey<Long> QUARANTINE_DEATHS =
      ConfigKey.ofLong(
          KeyNames.QUARANTINE_DEATHS,
          2,
          1,
          100,
          "",
          Scope.NODE,
          "A task that was running in this many dying engines goes to an ordinary container.");

  public static final ConfigKey<LoaderReuse> LOADER_REUSE =
      ConfigKey.ofChoice(
              "mammoth.engine.classloader.reuse",
              LoaderReuse.NONE,
              LoaderReuse.class,
              Scope.JOB,
              "none: each attempt has its own class loader, so static fields are as in a process of its"
                  + " own; slot: attempts of one job that follow each other in a slot share one. slot"
                  + " saves a tenth of the CPU time of very short tasks and no time on the clock (pi 40"
                  + " 1000 on a warm engine, docs/lab/measurements.md).")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Boolean> CACHE_LINKS =
      ConfigKey.ofBoolean(
          KeyNames.CACHE_LINKS,
          true,
          Scope.JOB,
          "Whether a job with distributed-cache files outside the class path may run in the engine."
              + " Relative file names are resolved in the task's folder; a job whose own native code"
              + " opens files has processes in any case.");

  public static final ConfigKey<Boolean> WARM_APP_MASTER =
      ConfigKey.ofBoolean(
              KeyNames.WARM_APP_MASTER,
              true,
              Scope.JOB,
              "Whether a job's ApplicationMaster may run in the node's standing ApplicationMaster host"
                  + " instead of a new JVM.")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Long> WARM_APP_MASTER_MAX_TASKS =
      ConfigKey.ofLong(
          "mammoth.appmaster.warm.max-tasks",
          1_000,
          0,
          1_000_000,
          "tasks",
          Scope.JOB,
          "A job with more tasks than this gets an ApplicationMaster of its own.");

  public static final ConfigKey<Long> APP_MASTER_HEARTBEAT_MS =
      ConfigKey.ofLong(
          "mammoth.appmaster.warm.heartbeat-ms",
          100,
          1,
          60_000,
          "ms",
          Scope.JOB,
          "How often an ApplicationMaster in the standing host asks the ResourceManager for"
              + " containers while nothing happens;"
              + " yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms if that is shorter. After a"
              + " request, a grant or the end of a task it asks every 5 ms at first, in jobs of more"
              + " than 100 tasks less often, and then more and more seldom. There are at most"
              + " mammoth.appmaster.hosts such jobs per user and node at a time.");

  public static final ConfigKey<Long> APP_MASTER_HOST_HEAP_MB =
      ConfigKey.ofLong(
          "mammoth.appmaster.host.heap-mb",
          768,
          128,
          1L << 20,
          "MiB",
          Scope.NODE,
          "Maximum Java heap of a user's standing ApplicationMaster host. While it is not set, hosts"
              + " have what yarn.app.mapreduce.am.command-opts in mapred-site.xml asks for, if that"
              + " is more than stock's 1024 MiB.");

  public static final ConfigKey<Long> APP_MASTER_HOSTS =
      ConfigKey.ofLong(
              "mammoth.appmaster.hosts",
              2,
              1,
              16,
              "",
              Scope.NODE,
              "Standing ApplicationMaster hosts that a user may have on a node. Each runs one job at a"
                  + " time; the second and later ones are started when jobs overlap, and end like engines"
                  + " (mammoth.engine.idle.timeout-ms).")
          .tagged(Tag.PERFORMANCE);

  private EngineKeys() {}

  /** All keys, in the order of the reference page. */
  public static List<ConfigKey<?>> all() {
    return Keys.in(
        EngineKeys.class,
        AdminKeys.class,
        SortKeys.class,
        MemoryKeys.class,
        IoKeys.class,
        ShuffleKeys.class,
        DataCacheKeys.class);
  }

  /** The reference page, as Markdown. */
  public static String reference() {
    return KeyReference.page(
        "# Configuration keys\n\nMade from the declarations in `EngineKeys`; do not edit. Scope `job`:"
            + " may be set per job,\nthe node's value is the default. Scope `node`: read from the"
            + " NodeManager's configuration.",
        all(),
        KeyReference.NAME,
        KeyReference.DEFAULT,
        KeyReference.SCOPE,
        KeyReference.ALLOWED,
        KeyReference.MEANING);
  }

  private static String glob(String text) {
    FileSystems.getDefault().getPathMatcher("glob:" + text);
    return text;
  }
}
