package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin.Context;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleSchedulerImpl;
import org.apache.hadoop.util.Time;
import org.mammoth.engine.send.MapOutput;

/**
 * Upstream's shuffle scheduler, which keeps its books, penalties and failure reports, with one
 * difference: output of a map of this node is taken over at once and never fetched.
 */
final class NodeAwareScheduler<K, V> extends ShuffleSchedulerImpl<K, V> {

  private final NodeOutputs nodeOutputs;
  private final ReceiveBuffer<K, V> receiveBuffer;
  private final Runnable remoteOutputSeen;

  NodeAwareScheduler(
      Context<K, V> context,
      ExceptionReporter failures,
      NodeOutputs nodeOutputs,
      ReceiveBuffer<K, V> receiveBuffer,
      Runnable remoteOutputSeen) {
    super(
        context.getJobConf(),
        context.getStatus(),
        context.getReduceId(),
        failures,
        context.getCopyPhase(),
        context.getShuffledMapsCounter(),
        context.getReduceShuffleBytes(),
        context.getFailedShuffleCounter());
    this.nodeOutputs = nodeOutputs;
    this.receiveBuffer = receiveBuffer;
    this.remoteOutputSeen = remoteOutputSeen;
  }

  @Override
  public void resolve(TaskCompletionEvent event) {
    if (event.getTaskStatus() == TaskCompletionEvent.Status.SUCCEEDED) {
      MapOutput output = nodeOutputs.find(event.getTaskAttemptId().toString());
      if (output != null) {
        take(event, output);
        return;
      }
      remoteOutputSeen.run();
    }
    super.resolve(event);
  }

  private void take(TaskCompletionEvent event, MapOutput output) {
    TaskAttemptID map = event.getTaskAttemptId();
    long bytes = receiveBuffer.shuffledBytes(output);
    long now = Time.monotonicNow();
    try {
      copySucceeded(
          map,
          new MapHost("this node", event.getTaskTrackerHttp()),
          bytes,
          now,
          now,
          new NodeMapOutput<>(map, bytes, () -> receiveBuffer.take(output)));
    } catch (IOException e) {
      throw new IllegalStateException("taking over output of this node does no I/O", e);
    }
  }
}
