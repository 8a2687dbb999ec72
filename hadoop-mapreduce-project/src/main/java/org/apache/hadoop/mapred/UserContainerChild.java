// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.mammoth.config.names.KeyNames;

/**
 * {@link OrdinaryContainerChild} for a node whose NodeManager may not read the job's configuration:
 * finds out as the user whether the job asks to run as on stock, which is no fall-back. In this
 * package because YarnChild is package-private.
 */
public final class UserContainerChild {

  private UserContainerChild() {}

  /** Takes YarnChild's arguments. */
  public static void main(String[] args) throws Throwable {
    if (isOptedOut(new File(MRJobConfig.JOB_CONF_FILE).getAbsoluteFile())) {
      YarnChild.main(args);
    } else {
      OrdinaryContainerChild.main(args);
    }
  }

  /** Whether a job's configuration says so. */
  static boolean isOptedOut(File jobFile) {
    Configuration job = new Configuration(false);
    job.addResource(new Path(jobFile.toURI()));
    return !job.getBoolean(KeyNames.ENGINE_ENABLED, true);
  }
}
