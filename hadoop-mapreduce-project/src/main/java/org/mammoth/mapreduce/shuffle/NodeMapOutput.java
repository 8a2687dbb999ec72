package org.mammoth.mapreduce.shuffle;

import java.io.InputStream;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleClientMetrics;

/** Output of a map of this node, as upstream's shuffle scheduler counts it: nothing is copied. */
final class NodeMapOutput<K, V> extends MapOutput<K, V> {

  private final Runnable commit;

  NodeMapOutput(TaskAttemptID map, long size, Runnable commit) {
    super(map, size, true);
    this.commit = commit;
  }

  @Override
  public void shuffle(
      MapHost host,
      InputStream input,
      long compressedLength,
      long decompressedLength,
      ShuffleClientMetrics metrics,
      Reporter reporter) {
    throw new UnsupportedOperationException("output of this node is not copied");
  }

  @Override
  public void commit() {
    commit.run();
  }

  @Override
  public void abort() {}

  @Override
  public String getDescription() {
    return "NODE";
  }
}
