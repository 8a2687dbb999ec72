// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils;
import org.mammoth.mpcache.policy.AdmissionFacility;
import org.mammoth.mpcache.policy.DataSetId;
import org.mammoth.mpcache.policy.LfuPolicy;
import org.mammoth.mpcache.policy.LruPolicy;
import org.mammoth.mpcache.policy.MpCachePolicy;
import org.mammoth.mpcache.policy.MpCachePolicy.VictimDistance;
import org.mammoth.mpcache.policy.ReplacementPolicy;
import org.mammoth.mpcache.slave.SsdDirectory;

/** Every configuration key of the SSD cache. */
public final class MpCacheKeys {

  /** The replacement policies there are. */
  public enum Policy {
    MPCACHE,
    LRU,
    LFU,
    LFU_HISTORY
  }

  public static final CacheKey<Boolean> ENABLED =
      CacheKey.ofBoolean(
          "mammoth.mpcache.enabled", false, "Whether the node caches HDFS blocks on SSD.");

  public static final CacheKey<List<SsdDirectory>> DIRS =
      new CacheKey<>(
          "mammoth.mpcache.dirs",
          "",
          "",
          "path=size, ...",
          "SSD directories of the cache, comma-separated, each with the size it may take, such as"
              + " /ssd0/mpcache=80g; k, m, g and t are binary. One that fails is left out until the"
              + " next start.",
          MpCacheKeys::directories);

  public static final CacheKey<Double> SHARE_INPUT =
      CacheKey.ofDouble(
          "mammoth.mpcache.share.input",
          0.5,
          0,
          1,
          "Part of the SSD space that is always Input Cache; what this and"
              + " mammoth.mpcache.share.localized leave is the Dynamic Pool.");

  public static final CacheKey<Double> SHARE_LOCALIZED =
      CacheKey.ofDouble(
          "mammoth.mpcache.share.localized",
          0.1,
          0,
          1,
          "Part of the SSD space that is always Localized Cache.");

  public static final CacheKey<Long> POOL_BLOCK_MB =
      CacheKey.ofLong(
          "mammoth.mpcache.pool.block-mb",
          128,
          1,
          1L << 20,
          "MiB",
          "The grain in which the Dynamic Pool changes hands; best the block size of HDFS.");

  public static final CacheKey<Double> GUARD =
      CacheKey.ofDouble(
          "mammoth.mpcache.guard",
          0.5,
          0,
          1,
          "When less than this part of the Localized Cache is in use, it gives pool blocks back.");

  public static final CacheKey<Policy> POLICY =
      ofChoice(
          "mammoth.mpcache.policy",
          Policy.MPCACHE,
          Policy.class,
          "Who enters and leaves the Input Cache: whole data sets by the paper's scheme, or single"
              + " blocks by recency, by frequency, or by frequency that"
              + " outlives eviction.");

  public static final CacheKey<Double> BONUS =
      CacheKey.ofDouble(
          "mammoth.mpcache.bonus",
          1,
          0,
          1e6,
          "What being wholly cached adds to a data set's priority, in reads of the whole set"
              + " (Full).");

  public static final CacheKey<VictimDistance> VICTIM_DISTANCE =
      ofChoice(
          "mammoth.mpcache.victim-distance",
          VictimDistance.LAST_SEEN,
          VictimDistance.class,
          "Which distance counts for a data set that may be displaced: that of its last access, or"
              + " that which has grown since.");

  public static final CacheKey<Long> DATA_SETS_MAX =
      CacheKey.ofLong(
          "mammoth.mpcache.data-sets.max",
          1_000_000,
          1,
          100_000_000,
          "data sets",
          "Identities the master remembers.");

  public static final CacheKey<Long> FILL_THREADS =
      CacheKey.ofLong(
          "mammoth.mpcache.fill.threads",
          1,
          1,
          64,
          "threads",
          "Threads of a slave that copy blocks to SSD and verify them; two make one spinning disk go"
              + " back and forth between two blocks.");

  public static final CacheKey<Long> FILL_QUEUE =
      CacheKey.ofLong(
          "mammoth.mpcache.fill.queue",
          100_000,
          0,
          10_000_000,
          "blocks",
          "Blocks that may wait to be copied or verified; more are not cached.");

  public static final CacheKey<Long> FILL_BANDWIDTH_MB =
      CacheKey.ofLong(
          "mammoth.mpcache.fill.bandwidth-mb",
          50,
          0,
          1L << 20,
          "MiB/s",
          "How fast a slave copies blocks to SSD and verifies them, all threads together; 0 is"
              + " without limit.");

  public static final CacheKey<Boolean> ZERO_COPY =
      CacheKey.ofBoolean(
          "mammoth.mpcache.zero-copy",
          false,
          "Whether the kernel sends a copy's pages once they were compared (sendfile), instead of the"
              + " DataNode the very bytes it has compared; what changes in the pages meanwhile gets"
              + " out then.");

  public static final CacheKey<Long> ROUND_REST_S =
      CacheKey.ofLong(
          "mammoth.mpcache.round.rest-s",
          600,
          1,
          86_400,
          "s",
          "Without a job, a data set that was not read for this long is accessed anew by its next"
              + " read.");

  /** Upstream's yarn.app.mapreduce.am.staging-dir. */
  private static final String STAGING = "/tmp/hadoop-yarn/staging";

  /** Upstream's yarn.nodemanager.remote-app-log-dir. */
  private static final String AGGREGATED_LOGS = "/tmp/logs";

  public static final CacheKey<List<DataSetId>> INCLUDE =
      ofPaths("mammoth.mpcache.include", "", "Paths that may be cached; empty means all.");

  public static final CacheKey<List<DataSetId>> EXCLUDE =
      ofPaths(
          "mammoth.mpcache.exclude",
          STAGING + "," + AGGREGATED_LOGS,
          "Paths that are not cached; of an included and an excluded path above a data set the"
              + " longer counts. By default where Hadoop puts the files of jobs that are submitted"
              + " and their logs: each is read by one job and never again.");

  public static final CacheKey<List<DataSetId>> PIN =
      ofPaths(
          "mammoth.mpcache.pin",
          "",
          "Paths whose data sets are always admitted and never displaced.");

  public static final CacheKey<Long> MASTER_PORT =
      CacheKey.ofLong(
          "mammoth.mpcache.master.port",
          9853,
          1,
          65_535,
          "",
          "Port of the cache's master on the NameNodes' hosts. Nameservice and NameNode may follow"
              + " the name, each after a dot, as with HDFS's own keys.");

  public static final CacheKey<Long> HEARTBEAT_MS =
      CacheKey.ofLong(
          "mammoth.mpcache.heartbeat-ms",
          1_000,
          10,
          60_000,
          "ms",
          "How often a slave tells the master what was read.");

  public static final CacheKey<Long> SLAVE_TIMEOUT_S =
      CacheKey.ofLong(
          "mammoth.mpcache.slave.timeout-s",
          60,
          1,
          86_400,
          "s",
          "After this time without a report the master no longer counts what a slave holds.");

  public static final CacheKey<List<DataSetId>> DATA_SETS =
      ofPaths(
          "mammoth.mpcache.data-sets",
          "",
          "Directories that are one data set with all that is below them, such as a table with its"
              + " partitions; a file below none of them belongs to its own directory's.");

  public static final CacheKey<Long> DATA_SETS_REFRESH_S =
      CacheKey.ofLong(
          "mammoth.mpcache.data-sets.refresh-s",
          10,
          0,
          86_400,
          "s",
          "How old the master's count of a data set's blocks may be.");

  private MpCacheKeys() {}

  /** Every key, in the order of the reference page. */
  public static List<CacheKey<?>> all() {
    return List.of(
        ENABLED,
        DIRS,
        SHARE_INPUT,
        SHARE_LOCALIZED,
        POOL_BLOCK_MB,
        GUARD,
        POLICY,
        BONUS,
        VICTIM_DISTANCE,
        DATA_SETS_MAX,
        FILL_THREADS,
        FILL_QUEUE,
        FILL_BANDWIDTH_MB,
        ZERO_COPY,
        ROUND_REST_S,
        INCLUDE,
        EXCLUDE,
        PIN,
        MASTER_PORT,
        HEARTBEAT_MS,
        SLAVE_TIMEOUT_S,
        DATA_SETS,
        DATA_SETS_REFRESH_S);
  }

  /** Those a NameNode's master takes up at run time. */
  public static List<CacheKey<?>> changeableInMaster() {
    return List.of(POLICY, BONUS, VICTIM_DISTANCE, INCLUDE, EXCLUDE, PIN);
  }

  /** Those a DataNode's slave takes up at run time. */
  public static List<CacheKey<?>> changeableInSlave() {
    return List.of(SHARE_INPUT, SHARE_LOCALIZED, GUARD, FILL_BANDWIDTH_MB, ZERO_COPY);
  }

  /** The policy the configuration names, on a facility. */
  public static ReplacementPolicy policy(Configuration conf, AdmissionFacility facility) {
    return switch (POLICY.get(conf)) {
      case MPCACHE -> new MpCachePolicy(facility, BONUS.get(conf), VICTIM_DISTANCE.get(conf));
      case LRU -> new LruPolicy();
      case LFU -> new LfuPolicy(false);
      case LFU_HISTORY -> new LfuPolicy(true);
    };
  }

  /** The path rules of the configuration. */
  public static PathRules rules(Configuration conf) {
    return new PathRules(INCLUDE.get(conf), EXCLUDE.get(conf), PIN.get(conf));
  }

  private static CacheKey<List<DataSetId>> ofPaths(String name, String def, String sentence) {
    return new CacheKey<>(
        name,
        def,
        "",
        "absolute path, ...",
        sentence,
        text -> parts(text).map(DataSetId::new).toList());
  }

  private static <E extends Enum<E>> CacheKey<E> ofChoice(
      String name, E def, Class<E> type, String sentence) {
    List<E> choices = Arrays.asList(type.getEnumConstants());
    return new CacheKey<>(
        name,
        spelled(def),
        "",
        String.join(" | ", choices.stream().map(MpCacheKeys::spelled).toList()),
        sentence,
        text ->
            choices.stream()
                .filter(choice -> spelled(choice).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such choice")));
  }

  private static String spelled(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Stream<String> parts(String text) {
    return Arrays.stream(text.split(",")).map(String::trim).filter(part -> !part.isEmpty());
  }

  private static List<SsdDirectory> directories(String text) {
    List<SsdDirectory> directories = new ArrayList<>();
    parts(text)
        .forEach(
            part -> {
              int equals = part.lastIndexOf('=');
              if (equals < 1 || equals == part.length() - 1 || !part.startsWith("/")) {
                throw new IllegalArgumentException("'" + part + "' is not path=size");
              }
              long bytes =
                  StringUtils.TraditionalBinaryPrefix.string2long(part.substring(equals + 1));
              directories.add(new SsdDirectory(Path.of(part.substring(0, equals)), bytes));
            });
    return directories;
  }
}
