// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.master;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;
import org.apache.hadoop.hdfs.server.namenode.HdfsAuditLogger;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.mammoth.api.collections.LatestMap;
import org.mammoth.mpcache.config.MpCacheKeys;
import org.mammoth.mpcache.policy.DataSetId;

/**
 * {@code dfs.namenode.audit.loggers}: learns jobs' input paths from the caller contexts of their
 * calls. Logs nothing. A job's tasks and its ApplicationMaster name them, as {@code
 * mr_attempt_...,mpcacheInput:/path;/path}; who forges one misleads the cache about his own reads.
 *
 * <p>Safe for any thread; the calls of a job already known cost a look-up.
 */
public final class JobInputs extends HdfsAuditLogger {

  private static final int REMEMBERED = 10_000;
  private static final int MOST_PATHS = 64;
  private static final String NAMES = ",mpcacheInput:";
  private static final Pattern JOB =
      Pattern.compile("mr_(?:attempt|appmaster_appattempt)_(\\d+_\\d+)_");

  private final Map<String, List<DataSetId>> jobs = LatestMap.byUse(REMEMBERED);
  private volatile boolean enabled;

  /** Instantiated by the NameNode. */
  public JobInputs() {}

  @Override
  public void initialize(Configuration conf) {
    try {
      enabled = MpCacheKeys.ENABLED.get(conf);
    } catch (IllegalArgumentException e) {
      // The cache's plug-in says so; a NameNode does not fail for it.
      enabled = false;
    }
  }

  @Override
  public void logAuditEvent(
      boolean succeeded,
      String userName,
      InetAddress addr,
      String cmd,
      String src,
      String dst,
      FileStatus stat,
      CallerContext context,
      UserGroupInformation ugi,
      DelegationTokenSecretManager tokens) {
    if (enabled && context != null && context.getContext() != null) {
      learn(context.getContext());
    }
  }

  @Override
  public void logAuditEvent(
      boolean succeeded,
      String userName,
      InetAddress addr,
      String cmd,
      String src,
      String dst,
      FileStatus stat,
      UserGroupInformation ugi,
      DelegationTokenSecretManager tokens) {
    // without a context there is nothing to learn
  }

  /** Takes note of the inputs that a context names. */
  void learn(String context) {
    int names = context.indexOf(NAMES);
    if (names < 0) {
      return;
    }
    Matcher name = JOB.matcher(context);
    if (!name.lookingAt()) {
      return;
    }
    String job = "job_" + name.group(1);
    synchronized (jobs) {
      if (jobs.get(job) == null) {
        jobs.put(job, paths(context.substring(names + NAMES.length())));
      }
    }
  }

  private static List<DataSetId> paths(String text) {
    int end = text.indexOf(',');
    List<DataSetId> paths = new ArrayList<>();
    for (String path : (end < 0 ? text : text.substring(0, end)).split(";", MOST_PATHS + 1)) {
      if (path.startsWith("/") && paths.size() < MOST_PATHS) {
        DataSetId input = new DataSetId(path);
        // A job over everything says nothing of what belongs together.
        if (!input.path().equals("/")) {
          paths.add(input);
        }
      }
    }
    return List.copyOf(paths);
  }

  /** The input paths of a job; empty if nobody has named any. */
  List<DataSetId> of(String job) {
    synchronized (jobs) {
      return job.isEmpty() ? List.of() : jobs.getOrDefault(job, List.of());
    }
  }
}
