// SPDX-License-Identifier: Apache-2.0
package org.mammoth.config;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.config.names.KnownKeys;

/** Tells of keys of ours that somebody has set and nobody reads. Any thread. */
public final class UnknownKeys {

  /** A process may have several daemons, and a daemon may start again. */
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private UnknownKeys() {}

  /**
   * Looks through a daemon's configuration.
   *
   * @param log is given a sentence on each such key that this process has not been told of
   */
  public static void tell(Configuration conf, Consumer<String> log) {
    KnownKeys known = KnownKeys.ofRelease();
    for (Map.Entry<String, String> each : conf) {
      String name = each.getKey();
      known
          .complaint(name)
          .map(complaint -> name + ConfigKey.origin(conf, name) + " " + complaint)
          .filter(TOLD::add)
          .ifPresent(log);
    }
  }
}
