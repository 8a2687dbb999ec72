// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.File;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.api.collections.LatestMap;

/**
 * What the NodeManager has concluded from each job's localized job.xml, once per job.
 *
 * <p>Thread-safe; remembers the latest {@value #CAPACITY} jobs.
 *
 * @param <V> the conclusion
 */
public final class JobFacts<V> {

  private static final int CAPACITY = 200;

  private final LocalizedJobs jobs;
  private final Map<String, V> known = LatestMap.byUse(CAPACITY);

  public JobFacts(LocalizedJobs jobs) {
    this.jobs = jobs;
  }

  /** The conclusion on the job described by {@code jobFile}, drawn by {@code judge} if new. */
  public V of(File jobFile, Function<Configuration, V> judge) {
    String key = LocalizedJobs.keyOf(jobFile);
    synchronized (known) {
      V conclusion = known.get(key);
      if (conclusion != null) {
        return conclusion;
      }
    }
    V conclusion = judge.apply(jobs.read(jobFile));
    synchronized (known) {
      known.put(key, conclusion);
    }
    return conclusion;
  }

  /** From now on the conclusion is another. */
  void correct(File jobFile, V conclusion) {
    synchronized (known) {
      known.put(LocalizedJobs.keyOf(jobFile), conclusion);
    }
  }
}
