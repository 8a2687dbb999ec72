// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.DataCacheKeys;

/**
 * What the data cache may be told.
 *
 * @param maxFileBytes larger files are not kept
 * @param paths folders whose files are kept though nobody has read such before
 * @param soonNanos what is read within this time of its writing was worth keeping
 */
public record DataCacheSettings(long maxFileBytes, List<String> paths, long soonNanos) {

  /** Copies the list. */
  public DataCacheSettings {
    paths = List.copyOf(paths);
  }

  /** What the configuration says. */
  public static DataCacheSettings of(Configuration conf) {
    return new DataCacheSettings(
        DataCacheKeys.MAX_FILE_MB.get(conf) << 20,
        DataCacheKeys.PATHS.get(conf),
        TimeUnit.SECONDS.toNanos(DataCacheKeys.SOON_S.get(conf)));
  }
}
