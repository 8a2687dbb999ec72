// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;

/** Text whose committer ends the ApplicationMaster's process as the job is set up. */
public final class LeavingOutput<K, V> extends TextOutputFormat<K, V> {
  private LeavingCommitter committer;

  @Override
  public synchronized FileOutputCommitter getOutputCommitter(TaskAttemptContext context)
      throws IOException {
    if (committer == null) {
      committer = new LeavingCommitter(getOutputPath(context), context);
    }
    return committer;
  }

  private static final class LeavingCommitter extends FileOutputCommitter {
    LeavingCommitter(Path output, TaskAttemptContext context) throws IOException {
      super(output, context);
    }

    @Override
    public void setupJob(JobContext context) {
      System.exit(3);
    }
  }
}
