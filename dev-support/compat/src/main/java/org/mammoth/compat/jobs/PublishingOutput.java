// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import javax.net.ssl.HttpsURLConnection;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;

/** Text whose committer sets up the JVM for HTTPS before it commits, as one does that publishes. */
public final class PublishingOutput<K, V> extends TextOutputFormat<K, V> {
  private PublishingCommitter committer;

  @Override
  public synchronized FileOutputCommitter getOutputCommitter(TaskAttemptContext context)
      throws IOException {
    if (committer == null) {
      committer = new PublishingCommitter(getOutputPath(context), context);
    }
    return committer;
  }

  private static final class PublishingCommitter extends FileOutputCommitter {
    PublishingCommitter(Path output, TaskAttemptContext context) throws IOException {
      super(output, context);
    }

    @Override
    public void commitJob(JobContext context) throws IOException {
      HttpsURLConnection.setDefaultHostnameVerifier((name, session) -> false);
      System.setProperty("javax.net.ssl.trustStore", "none");
      super.commitJob(context);
    }
  }
}
