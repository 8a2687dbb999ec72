// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.config;

import java.util.List;
import org.mammoth.config.ConfigKey;
import org.mammoth.config.ConfigKey.Scope;

/** Every configuration key of the data cache. */
public final class DataCacheKeys {

  public static final ConfigKey<Boolean> ENABLED =
      ConfigKey.ofBoolean(
          "mammoth.data-cache.enabled",
          false,
          Scope.JOB,
          "Whether what a job's tasks write to HDFS stays in the engine's memory, as it passes, and"
              + " what earlier jobs of the user left there is read from it. Engines of a node where it"
              + " is false when they start have no data cache; a job may switch it off for itself.");

  public static final ConfigKey<Double> FRACTION =
      ConfigKey.ofFraction(
          "mammoth.data-cache.fraction",
          0.50,
          Scope.NODE,
          "The part of the cache pool that the data cache may fill while nobody else needs it. It"
              + " gives memory up at once to whoever does.");

  public static final ConfigKey<Long> MAX_FILE_MB =
      ConfigKey.ofLong(
          "mammoth.data-cache.max-file-mb",
          1_024,
          1,
          1L << 20,
          "MiB",
          Scope.NODE,
          "Files larger than this are not kept.");

  public static final ConfigKey<List<String>> PATHS =
      ConfigKey.ofList(
          "mammoth.data-cache.paths",
          "",
          "folder, ...",
          Scope.NODE,
          "Folders of HDFS, separated by commas, whose files are kept in any case; as in"
              + " /pipelines,/user/ann/pagerank. Others are kept unless output like it stayed unread:"
              + " folders that differ in numbers alone are alike.",
          text -> text);

  public static final ConfigKey<Long> SOON_S =
      ConfigKey.ofLong(
          "mammoth.data-cache.soon-s",
          600,
          1,
          1L << 20,
          "s",
          Scope.NODE,
          "What is read within this time of its writing was worth keeping, and output like it will"
              + " be.");

  private DataCacheKeys() {}
}
