// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.File;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * What the NodeManager has concluded from each job's localized job.xml, read once per job.
 *
 * <p>Thread-safe; remembers the latest {@value #CAPACITY} jobs.
 *
 * @param <V> the conclusion
 */
public final class JobFacts<V> {

  private static final int CAPACITY = 200;

  private final Map<String, V> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
          return size() > CAPACITY;
        }
      };

  /** The conclusion on the job described by {@code jobFile}, drawn by {@code judge} if new. */
  public V of(File jobFile, Function<Configuration, V> judge) {
    String key = keyOf(jobFile);
    synchronized (known) {
      V conclusion = known.get(key);
      if (conclusion != null) {
        return conclusion;
      }
    }
    V conclusion = judge.apply(read(jobFile));
    synchronized (known) {
      known.put(key, conclusion);
    }
    return conclusion;
  }

  /** From now on the conclusion is another. */
  void correct(File jobFile, V conclusion) {
    synchronized (known) {
      known.put(keyOf(jobFile), conclusion);
    }
  }

  private static String keyOf(File jobFile) {
    return jobFile.getPath() + '@' + jobFile.lastModified();
  }

  /** The configuration in a localized job.xml; what its client did not know is as on this node. */
  static Configuration read(File jobFile) {
    Configuration job = new Configuration(true);
    job.addResource(new Path(jobFile.toURI()));
    return job;
  }
}
