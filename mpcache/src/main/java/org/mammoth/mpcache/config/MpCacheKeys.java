// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.config;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils;
import org.mammoth.config.ConfigKey;
import org.mammoth.config.ConfigKey.Scope;
import org.mammoth.config.ConfigKey.Tag;
import org.mammoth.config.KeyReference;
import org.mammoth.config.Keys;
import org.mammoth.config.names.KeyNames;
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

  public static final String NAME_NODE = "NameNode";

  public static final String DATA_NODE = "DataNode";

  public static final ConfigKey<Boolean> ENABLED =
      ConfigKey.ofBoolean(
          KeyNames.SSD_CACHE_ENABLED,
          false,
          Scope.NODE,
          "Whether the node caches HDFS blocks on SSD.");

  public static final ConfigKey<List<SsdDirectory>> DIRS =
      ConfigKey.ofList(
              KeyNames.SSD_CACHE_DIRS,
              "",
              "path=size, ...",
              Scope.NODE,
              "SSD directories of the cache, comma-separated, each with the size it may take, such as"
                  + " /ssd0/mpcache=80g; k, m, g and t are binary. One that fails is left out until the"
                  + " next start.",
              MpCacheKeys::directory)
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Double> SHARE_INPUT =
      ConfigKey.ofDouble(
              "mammoth.mpcache.share.input",
              0.5,
              0,
              1,
              Scope.NODE,
              "Part of the SSD space that is always Input Cache; what this and"
                  + " mammoth.mpcache.share.localized leave is the Dynamic Pool.")
          .changeableIn(DATA_NODE)
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Double> SHARE_LOCALIZED =
      ConfigKey.ofDouble(
              "mammoth.mpcache.share.localized",
              0.1,
              0,
              1,
              Scope.NODE,
              "Part of the SSD space that is always Localized Cache.")
          .changeableIn(DATA_NODE);

  public static final ConfigKey<Long> POOL_BLOCK_MB =
      ConfigKey.ofLong(
          "mammoth.mpcache.pool.block-mb",
          128,
          1,
          1L << 20,
          "MiB",
          Scope.NODE,
          "The grain in which the Dynamic Pool changes hands; best the block size of HDFS.");

  public static final ConfigKey<Double> GUARD =
      ConfigKey.ofDouble(
              "mammoth.mpcache.guard",
              0.5,
              0,
              1,
              Scope.NODE,
              "When less than this part of the Localized Cache is in use, it gives pool blocks back.")
          .changeableIn(DATA_NODE);

  public static final ConfigKey<Policy> POLICY =
      ConfigKey.ofChoice(
              "mammoth.mpcache.policy",
              Policy.MPCACHE,
              Policy.class,
              Scope.SERVICE,
              "Who enters and leaves the Input Cache: whole data sets by the paper's scheme, or single"
                  + " blocks by recency, by frequency, or by frequency that"
                  + " outlives eviction.")
          .changeableIn(NAME_NODE)
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Double> BONUS =
      ConfigKey.ofDouble(
              "mammoth.mpcache.bonus",
              1,
              0,
              1e6,
              Scope.SERVICE,
              "What being wholly cached adds to a data set's priority, in reads of the whole set"
                  + " (Full).")
          .changeableIn(NAME_NODE);

  public static final ConfigKey<VictimDistance> VICTIM_DISTANCE =
      ConfigKey.ofChoice(
              "mammoth.mpcache.victim-distance",
              VictimDistance.LAST_SEEN,
              VictimDistance.class,
              Scope.SERVICE,
              "Which distance counts for a data set that may be displaced: that of its last access, or"
                  + " that which has grown since.")
          .changeableIn(NAME_NODE);

  public static final ConfigKey<Long> DATA_SETS_MAX =
      ConfigKey.ofLong(
          "mammoth.mpcache.data-sets.max",
          1_000_000,
          1,
          100_000_000,
          "data sets",
          Scope.SERVICE,
          "Identities the master remembers.");

  public static final ConfigKey<Long> FILL_THREADS =
      ConfigKey.ofLong(
              "mammoth.mpcache.fill.threads",
              1,
              1,
              64,
              "threads",
              Scope.NODE,
              "Threads of a slave that copy blocks to SSD and verify them; two make one spinning disk go"
                  + " back and forth between two blocks.")
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Long> FILL_QUEUE =
      ConfigKey.ofLong(
          "mammoth.mpcache.fill.queue",
          100_000,
          0,
          10_000_000,
          "blocks",
          Scope.NODE,
          "Blocks that may wait to be copied; more are not cached.");

  public static final ConfigKey<Long> FILL_BANDWIDTH_MB =
      ConfigKey.ofLong(
              "mammoth.mpcache.fill.bandwidth-mb",
              50,
              0,
              1L << 20,
              "MiB/s",
              Scope.NODE,
              "How fast a slave copies blocks to SSD and verifies them, all threads together; 0 is"
                  + " without limit.")
          .changeableIn(DATA_NODE)
          .tagged(Tag.PERFORMANCE);

  public static final ConfigKey<Boolean> ZERO_COPY =
      ConfigKey.ofBoolean(
              "mammoth.mpcache.zero-copy",
              false,
              Scope.NODE,
              "Whether the kernel sends a copy's pages once they were compared (sendfile), instead of the"
                  + " DataNode the very bytes it has compared; what changes in the pages meanwhile gets"
                  + " out then.")
          .changeableIn(DATA_NODE);

  public static final ConfigKey<Long> ROUND_REST_S =
      ConfigKey.ofLong(
          "mammoth.mpcache.round.rest-s",
          600,
          1,
          86_400,
          "s",
          Scope.NODE,
          "Without a job, a data set that was not read for this long is accessed anew by its next"
              + " read.");

  /** Upstream's yarn.app.mapreduce.am.staging-dir. */
  private static final String STAGING = "/tmp/hadoop-yarn/staging";

  /** Upstream's yarn.nodemanager.remote-app-log-dir. */
  private static final String AGGREGATED_LOGS = "/tmp/logs";

  public static final ConfigKey<List<DataSetId>> INCLUDE =
      ofPaths("mammoth.mpcache.include", "", "Paths that may be cached; empty means all.")
          .changeableIn(NAME_NODE);

  public static final ConfigKey<List<DataSetId>> EXCLUDE =
      ofPaths(
              "mammoth.mpcache.exclude",
              STAGING + "," + AGGREGATED_LOGS,
              "Paths that are not cached; of an included and an excluded path above a data set the"
                  + " longer counts. By default where Hadoop puts the files of jobs that are submitted"
                  + " and their logs: each is read by one job and never again.")
          .changeableIn(NAME_NODE);

  public static final ConfigKey<List<DataSetId>> PIN =
      ofPaths(
              "mammoth.mpcache.pin",
              "",
              "Paths whose data sets are always admitted and never displaced.")
          .changeableIn(NAME_NODE);

  public static final ConfigKey<Long> MASTER_PORT =
      ConfigKey.ofLong(
              "mammoth.mpcache.master.port",
              9853,
              1,
              65_535,
              "",
              Scope.SERVICE,
              "Port of the cache's master on the NameNodes' hosts. Nameservice and NameNode may follow"
                  + " the name, each after a dot, as with HDFS's own keys.")
          .ofNameNodes();

  public static final ConfigKey<Long> HEARTBEAT_MS =
      ConfigKey.ofLong(
          "mammoth.mpcache.heartbeat-ms",
          1_000,
          10,
          60_000,
          "ms",
          Scope.NODE,
          "How often a slave tells the master what was read.");

  public static final ConfigKey<Long> SLAVE_TIMEOUT_S =
      ConfigKey.ofLong(
          "mammoth.mpcache.slave.timeout-s",
          60,
          1,
          86_400,
          "s",
          Scope.SERVICE,
          "After this time without a report the master no longer counts what a slave holds.");

  public static final ConfigKey<List<DataSetId>> DATA_SETS =
      ofPaths(
          "mammoth.mpcache.data-sets",
          "",
          "Directories that are one data set with all that is below them, such as a table with its"
              + " partitions; a file below none of them belongs to its own directory's.");

  public static final ConfigKey<Long> DATA_SETS_REFRESH_S =
      ConfigKey.ofLong(
          "mammoth.mpcache.data-sets.refresh-s",
          10,
          0,
          86_400,
          "s",
          Scope.SERVICE,
          "How old the master's count of a data set's blocks may be.");

  private MpCacheKeys() {}

  /** Every key, in the order of the reference page. */
  public static List<ConfigKey<?>> all() {
    return Keys.in(MpCacheKeys.class);
  }

  /** Those that a daemon takes up at run time. */
  public static List<ConfigKey<?>> changeableIn(String daemon) {
    return all().stream().filter(key -> key.changeableIn().equals(daemon)).toList();
  }

  /** The reference page, as Markdown. */
  public static String reference() {
    return KeyReference.page(
        "# Configuration keys of the SSD cache\n\nMade from the declarations in `MpCacheKeys`;"
            + " do not edit. All are read when a daemon starts; those with a daemon in the last"
            + " column also by `hdfs dfsadmin -reconfig` on it.",
        all(),
        KeyReference.NAME,
        KeyReference.DEFAULT,
        KeyReference.ALLOWED,
        KeyReference.MEANING,
        KeyReference.CHANGEABLE);
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

  private static ConfigKey<List<DataSetId>> ofPaths(String name, String def, String sentence) {
    return ConfigKey.ofList(
        name, def, "absolute path, ...", Scope.SERVICE, sentence, DataSetId::new);
  }

  private static SsdDirectory directory(String text) {
    int equals = text.lastIndexOf('=');
    if (equals < 1 || equals == text.length() - 1 || !text.startsWith("/")) {
      throw new IllegalArgumentException("'" + text + "' is not path=size");
    }
    long bytes = StringUtils.TraditionalBinaryPrefix.string2long(text.substring(equals + 1));
    return new SsdDirectory(Path.of(text.substring(0, equals)), bytes);
  }
}
