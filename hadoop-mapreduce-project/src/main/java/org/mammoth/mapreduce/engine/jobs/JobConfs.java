// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.mammoth.api.collections.LatestMap;

/**
 * The configurations of the jobs whose tasks run here, parsed once per job; every task gets a copy.
 * Thread-safe; keeps the latest {@value #CAPACITY}.
 */
public final class JobConfs {

  private static final int CAPACITY = 32;

  private final Map<String, JobConf> parsed = LatestMap.byUse(CAPACITY);

  /** A copy, the caller's own, of the configuration in a localized job.xml. */
  public JobConf copyOf(File jobFile) throws IOException {
    String key = jobFile.getPath() + '@' + jobFile.lastModified();
    JobConf base;
    synchronized (parsed) {
      base = parsed.get(key);
    }
    if (base == null) {
      if (!jobFile.isFile()) {
        throw new FileNotFoundException(jobFile.getPath()); // upstream would take it for empty
      }
      base = new JobConf();
      base.addResource(new JobFile(jobFile));
      base.size(); // parses
      synchronized (parsed) {
        parsed.put(key, base);
      }
    }
    return new JobConf(base);
  }

  /**
   * A job.xml, under the name that it has in a container's folder: the name becomes part of what a
   * task writes down as its configuration, and so of its file system counters. As a file, not a
   * stream, it is read again with the other files, and stays the source of what it says.
   */
  private static final class JobFile extends Path {
    private static final long serialVersionUID = 1L;

    JobFile(File file) {
      super(file.toURI());
    }

    @Override
    public String toString() {
      return MRJobConfig.JOB_CONF_FILE;
    }
  }
}
