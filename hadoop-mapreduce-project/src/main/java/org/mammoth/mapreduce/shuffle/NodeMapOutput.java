// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.InputStream;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;

/**
 * Output of a map that no fetcher of upstream's brought, as upstream's shuffle scheduler counts it:
 * there is nothing left to copy.
 */
final class NodeMapOutput<K, V> extends MapOutput<K, V> {

  private final Runnable commit;
  private final Runnable abort;

  /**
   * Counted, {@code commit} is run; when another attempt's output is there already, {@code abort}.
   */
  NodeMapOutput(TaskAttemptID map, long size, Runnable commit, Runnable abort) {
    super(map, size, true);
    this.commit = commit;
    this.abort = abort;
  }

  @Override
  public void shuffle(
      MapHost host,
      InputStream input,
      long compressedLength,
      long decompressedLength,
      ShuffleClientMetrics metrics,
      Reporter reporter) {
    throw new UnsupportedOperationException("there is nothing to copy");
  }

  @Override
  public void commit() {
    commit.run();
  }

  @Override
  public void abort() {
    abort.run();
  }

  @Override
  public String getDescription() {
    return "NODE";
  }
}
