// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.ClientContext;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.impl.LeaseRenewer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.ReadaheadPool;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.NativeCodeLoader;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;

/**
 * What Hadoop makes once in a JVM, for whoever asks first, and all use from then on. In an engine
 * nobody but the engine may be the first: the threads of what a task makes are the task's, and end
 * with it.
 *
 * <p>For the engine's main thread, but for what takes time.
 */
public final class SharedParts {

  /**
   * Upstream's client keeps a thread for a minute after a user's last open file, for the next one.
   * Here each attempt is a user, and the thread would keep the attempt's class loader.
   */
  private static final long LEASE_RENEWER_GRACE_MS = 1_000;

  /**
   * Upstream's client keeps a block's file open for five minutes after it was read past the
   * DataNode. A task's process ends before; an engine would go on reading that file for the jobs to
   * come, while the DataNode has the block on SSD by now and ought to hear that it is read.
   */
  private static final long OPEN_REPLICA_MS = 2_000;

  private SharedParts() {}

  /**
   * Makes what has threads of its own, before there are tasks. Without Hadoop's native library
   * there is nothing of the kind: no domain socket to watch, and nothing to read ahead with.
   */
  public static void make(Configuration conf, Logger log) {
    LeaseRenewer.setLeaseRenewerGraceDefault(LEASE_RENEWER_GRACE_MS);
    if (!NativeCodeLoader.isNativeCodeLoaded()) {
      return;
    }
    try {
      ReadaheadPool.getInstance();
      Configuration shared = new Configuration(conf);
      shared.setLong(
          HdfsClientConfigKeys.Read.ShortCircuit.STREAMS_CACHE_EXPIRY_MS_KEY, OPEN_REPLICA_MS);
      ClientContext.getFromConf(shared);
      // Who asks next with another value is told so in his log, once; this is who.
      ClientContext.getFromConf(conf);
    } catch (RuntimeException e) {
      log.warn("Tasks make their HDFS client's shared parts themselves: {}", e.toString());
    }
  }

  /** Loads what every task needs, before the first one does. Asks nobody else. */
  public static void warmUp(Configuration conf, Logger log) {
    try {
      FileSystem.getLocal(conf);
      // Its serializations are those of whoever calls it first, for ever.
      ReflectionUtils.copy(conf, new IntWritable(1), new IntWritable());
    } catch (IOException | RuntimeException e) {
      log.info("No warm-up: {}", e.toString());
    }
  }

  /** The same of HDFS; takes as long as the NameNode does. Any thread of the engine's. */
  public static void warmUpHdfs(Configuration conf, Logger log) {
    try {
      FileSystem hdfs = FileSystem.get(conf);
      // With Kerberos the engine itself is nobody to the NameNode.
      if (!UserGroupInformation.isSecurityEnabled()) {
        hdfs.getFileStatus(new Path("/"));
      }
    } catch (IOException | RuntimeException e) {
      log.info("No warm-up of HDFS: {}", e.toString());
    }
  }
}
