// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.net.URI;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.StringUtils;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.memory.LargestHeap;

/**
 * What a job's configuration says about whether its tasks can be threads: the rules that hold for a
 * whole job, decided once from its job.xml.
 */
final class JobRules {

  /**
   * Hadoop's partitioners read this link through LocalFileSystem, which knows the task's folder.
   */
  private static final String PARTITION_FILE = "_partition.lst";

  /** How -libjars arrives: a folder of jars, all of them on the class path. */
  private static final String LIBJARS = "*";

  private static final List<String> MUST_EQUAL_CLUSTER =
      List.of("hadoop.security.authentication", "hadoop.rpc.protection");

  private final Configuration cluster;

  /**
   * @param cluster the node's own configuration, with MapReduce's site file
   */
  JobRules(Configuration cluster) {
    this.cluster = cluster;
  }

  /** Why the job's tasks need processes, empty if they do not. */
  Optional<String> reasonAgainst(Configuration job) {
    return Stream.<Optional<String>>of(
            programOfItsOwn(job), cacheFiles(job), settings(job), unlikeCluster(job))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Whether the job asks to run as on stock Hadoop. */
  static boolean optedOut(Configuration job) {
    return !EngineKeys.ENABLED.get(job);
  }

  /** Why the job's ApplicationMaster needs a process, empty if it does not. */
  Optional<String> reasonAgainstAppMaster(Configuration job) {
    return settings(job).or(() -> unlikeCluster(job));
  }

  /**
   * Why an ApplicationMaster's heap is none that a host can promise: somebody asks for more than a
   * host has, and for more than what nobody has set.
   */
  Optional<String> reasonAgainstHeap(List<String> options) {
    long asked = LargestHeap.in(String.join(" ", options)).orElse(0);
    long host = HostHeap.mb(cluster);
    return when(
        asked > Math.max(HostHeap.ofStock(), host << 20),
        "its ApplicationMaster asks for a heap of "
            + (asked >> 20)
            + " MiB, a host has "
            + host
            + " ("
            + EngineKeys.APP_MASTER_HOST_HEAP_MB.name()
            + ")");
  }

  private static Optional<String> when(boolean holds, String reason) {
    return holds ? Optional.of(reason) : Optional.empty();
  }

  private static Optional<String> programOfItsOwn(Configuration job) {
    return when(
        job.get("mapreduce.pipes.executable") != null, "it is a pipes job, its tasks are programs");
  }

  private Optional<String> cacheFiles(Configuration job) {
    if (EngineKeys.CACHE_LINKS.get(job)) {
      return Optional.empty();
    }
    Set<String> onClassPath = new HashSet<>();
    for (String key : List.of(MRJobConfig.CLASSPATH_FILES, MRJobConfig.CLASSPATH_ARCHIVES)) {
      for (String path : job.getTrimmedStrings(key)) {
        onClassPath.add(new Path(path).getName());
      }
    }
    URI[] files = StringUtils.stringToURI(job.getStrings(MRJobConfig.CACHE_FILES));
    URI[] archives = StringUtils.stringToURI(job.getStrings(MRJobConfig.CACHE_ARCHIVES));
    return Stream.concat(
            Arrays.stream(files == null ? new URI[0] : files),
            Arrays.stream(archives == null ? new URI[0] : archives))
        .filter(uri -> !onClassPath.contains(new Path(uri.getPath()).getName()))
        .map(JobRules::linkName)
        .filter(link -> !link.equals(PARTITION_FILE) && !link.equals(LIBJARS))
        .findFirst()
        .map(
            link ->
                "it may read the cache file '"
                    + link
                    + "' by a relative name (allow it with "
                    + EngineKeys.CACHE_LINKS.name()
                    + ")");
  }

  private static String linkName(URI uri) {
    return uri.getFragment() != null ? uri.getFragment() : new Path(uri.getPath()).getName();
  }

  private static Optional<String> settings(Configuration job) {
    if (job.getBoolean(MRJobConfig.TASK_PROFILE, false)) {
      return Optional.of("it is profiled (" + MRJobConfig.TASK_PROFILE + ")");
    }
    if (!job.get(MRJobConfig.MAPREDUCE_APPLICATION_FRAMEWORK_PATH, "").isEmpty()) {
      return Optional.of(
          "it brings its own Hadoop (" + MRJobConfig.MAPREDUCE_APPLICATION_FRAMEWORK_PATH + ")");
    }
    if (!job.get(MRJobConfig.MAPREDUCE_JOB_LOG4J_PROPERTIES_FILE, "").isEmpty()) {
      return Optional.of(
          "it brings its own log4j file (" + MRJobConfig.MAPREDUCE_JOB_LOG4J_PROPERTIES_FILE + ")");
    }
    // A job's class loader has its classes first in any case; nothing of them is on the class path.
    return when(
        job.getBoolean(MRJobConfig.MAPREDUCE_JOB_USER_CLASSPATH_FIRST, false)
            && !job.getBoolean(MRJobConfig.MAPREDUCE_JOB_CLASSLOADER, false),
        "its classes go before Hadoop's (" + MRJobConfig.MAPREDUCE_JOB_USER_CLASSPATH_FIRST + ")");
  }

  private Optional<String> unlikeCluster(Configuration job) {
    for (String key : MUST_EQUAL_CLUSTER) {
      String mine = normal(job.get(key));
      if (!mine.isEmpty() && !mine.equals(normal(cluster.get(key)))) {
        return Optional.of("its " + key + " differs from the node's");
      }
    }
    return Optional.empty();
  }

  private static String normal(String value) {
    return value == null ? "" : value.replaceAll("\\s+", "");
  }
}
