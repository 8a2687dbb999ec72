// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upstream;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.YarnClientProtocolProvider;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;

/**
 * Gives jobs that LocalJobRunner would run to the cluster whose settings are in the file that the
 * system property {@value #SETTINGS} names; without it, does nothing. Job clients find it as a
 * service, before Hadoop's own.
 */
public final class LocalJobsToCluster extends YarnClientProtocolProvider {

  static final String SETTINGS = "mammoth.upstream.cluster";

  @Override
  public ClientProtocol create(Configuration job) throws IOException {
    String file = System.getProperty(SETTINGS);
    String framework = job.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
    if (file == null || !framework.equals(MRConfig.LOCAL_FRAMEWORK_NAME)) {
      return null;
    }
    Configuration cluster = new Configuration(false);
    cluster.addResource(new Path(file));
    for (Map.Entry<String, String> each : cluster) {
      job.set(each.getKey(), each.getValue());
    }
    return super.create(job);
  }
}
