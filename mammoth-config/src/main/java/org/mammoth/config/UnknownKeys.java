// SPDX-License-Identifier: Apache-2.0
package org.mammoth.config;

import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.config.names.KnownKeys;

/** Tells of keys of ours that somebody has set and nobody reads. */
public final class UnknownKeys {

  private UnknownKeys() {}

  /**
   * Looks through a daemon's configuration, when it starts.
   *
   * @param log is given a sentence on each such key
   */
  public static void tell(Configuration conf, Consumer<String> log) {
    KnownKeys known = KnownKeys.ofRelease();
    for (Map.Entry<String, String> each : conf) {
      String name = each.getKey();
      known
          .complaint(name)
          .map(complaint -> name + ConfigKey.origin(conf, name) + " " + complaint)
          .ifPresent(log);
    }
  }
}
