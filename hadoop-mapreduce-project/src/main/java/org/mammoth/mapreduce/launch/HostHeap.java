// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.memory.LargestHeap;

/**
 * The Java heap of hosts of ApplicationMasters. A host has one job that has not ended, in the place
 * of a process that YARN has reserved as much for: a cluster that gives its ApplicationMasters more
 * than stock does gives it to hosts, too. One that is idle keeps no more than {@code
 * mammoth.appmaster.host.heap-mb}, or its default.
 */
public final class HostHeap {

  private static final long MOST_MB = 1L << 20;

  private HostHeap() {}

  /**
   * At most so many MiB: {@code mammoth.appmaster.host.heap-mb} if somebody has set it, else its
   * default or what the cluster's {@code yarn.app.mapreduce.am.command-opts} ask for.
   *
   * @param cluster has mapred-site.xml
   */
  public static long mb(Configuration cluster) {
    long key = EngineKeys.APP_MASTER_HOST_HEAP_MB.get(cluster);
    long asked = bytes(cluster.get(MRJobConfig.MR_AM_COMMAND_OPTS, ""));
    return cluster.get(EngineKeys.APP_MASTER_HOST_HEAP_MB.name()) == null && asked > ofStock()
        ? Math.max(key, Math.min(asked + (1 << 20) - 1 >> 20, MOST_MB))
        : key;
  }

  /** Bytes that an ApplicationMaster has where nobody has set anything. */
  static long ofStock() {
    return bytes(MRJobConfig.DEFAULT_MR_AM_COMMAND_OPTS);
  }

  private static long bytes(String javaOptions) {
    return LargestHeap.in(javaOptions).orElse(0);
  }
}
