// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;

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
  JobConf copyOf(File jobFile) throws IOException {
    String key = jobFile.getPath() + '@' + jobFile.lastModified();
    JobConf base;
    synchronized (parsed) {
      base = parsed.get(key);
    }
    if (base == null) {
      base = new JobConf();
      try (InputStream xml = new FileInputStream(jobFile)) {
        // Under the name it has in a container's folder: the name becomes part of what a task
        // writes down as its configuration, and so of its file system counters.
        base.addResource(xml, MRJobConfig.JOB_CONF_FILE);
        base.size(); // parses
        // A task's process reads its configuration again when HDFS adds its defaults, which brings
        // back what job.xml had displaced; what a task writes down must be the same here.
        base.reloadConfiguration();
        base.size();
      }
      synchronized (parsed) {
        parsed.put(key, base);
      }
    }
    return new JobConf(base);
  }
}
