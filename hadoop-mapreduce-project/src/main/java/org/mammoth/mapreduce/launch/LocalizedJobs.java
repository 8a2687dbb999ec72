// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.File;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.mammoth.api.collections.LatestMap;

/**
 * The configurations in localized job.xml files. Several rules ask for that of one job within
 * moments, and to read it takes as long as all else a container's start takes in the NodeManager.
 *
 * <p>Thread-safe; keeps the latest {@value #CAPACITY}, of some hundred KiB each.
 */
public final class LocalizedJobs {

  private static final int CAPACITY = 8;

  private final Map<String, Configuration> latest = LatestMap.byUse(CAPACITY);

  /**
   * The configuration in a localized job.xml; what its client did not know is as on this node. A
   * file that is not there any more says nothing.
   *
   * @return shared: not to be changed
   * @throws RuntimeException if the file is no configuration
   */
  Configuration read(File jobFile) {
    String key = keyOf(jobFile);
    synchronized (latest) {
      Configuration known = latest.get(key);
      if (known != null) {
        return known;
      }
    }
    Configuration job = new Configuration(true);
    job.addResource(new Path(jobFile.toURI()));
    // reads it
    job.size();
    synchronized (latest) {
      latest.put(key, job);
    }
    return job;
  }

  /** What tells one job's file from any other, and from itself if it were written anew. */
  static String keyOf(File jobFile) {
    return jobFile.getPath() + '@' + jobFile.lastModified();
  }
}
