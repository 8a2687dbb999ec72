package org.mammoth.mapreduce.engine;

import java.io.File;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;

/**
 * The configurations of the jobs whose tasks run here, parsed once per job; every task gets a copy.
 * Thread-safe; keeps the latest {@value #CAPACITY}.
 */
final class JobConfs {

  private static final int CAPACITY = 32;

  private final Map<String, JobConf> parsed =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, JobConf> eldest) {
          return size() > CAPACITY;
        }
      };

  /** A copy, the caller's own, of the configuration in a localized job.xml. */
  JobConf copyOf(File jobFile) {
    String key = jobFile.getPath() + '@' + jobFile.lastModified();
    JobConf base;
    synchronized (parsed) {
      base = parsed.get(key);
    }
    if (base == null) {
      base = new JobConf(new Path(jobFile.toURI()));
      base.size(); // parses
      synchronized (parsed) {
        parsed.put(key, base);
      }
    }
    return new JobConf(base);
  }
}
