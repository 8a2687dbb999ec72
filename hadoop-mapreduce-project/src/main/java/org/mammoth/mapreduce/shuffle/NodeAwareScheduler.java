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
import org.mammoth.mapreduce.MammothShuffleCounter;

/**
 * Upstream's shuffle scheduler, which keeps its books, penalties and failure reports, with two
 * differences: output of a map of this node is taken over at once, and output of other nodes comes
 * from their engines where they have one. Only what is left goes to upstream's fetchers.
 */
final class NodeAwareScheduler<K, V> extends ShuffleSchedulerImpl<K, V>
    implements RemoteOutputs.Reduce {

  private final Context<K, V> context;
  private final ExceptionReporter failures;
  private final NodeOutputs nodeOutputs;
  private final ReceiveBuffer<K, V> receiveBuffer;
  private final Runnable stockOutputSeen;
  private final Inbox inbox = new Inbox(this::wake);
  private RemoteOutputs remoteOutputs;
  private boolean poked;

  NodeAwareScheduler(
      Context<K, V> context,
      ExceptionReporter failures,
      NodeOutputs nodeOutputs,
      ReceiveBuffer<K, V> receiveBuffer,
      Runnable stockOutputSeen) {
    super(
        context.getJobConf(),
        context.getStatus(),
        context.getReduceId(),
        failures,
        context.getCopyPhase(),
        context.getShuffledMapsCounter(),
        context.getReduceShuffleBytes(),
        context.getFailedShuffleCounter());
    this.context = context;
    this.failures = failures;
    this.nodeOutputs = nodeOutputs;
    this.receiveBuffer = receiveBuffer;
    this.stockOutputSeen = stockOutputSeen;
  }

  /** What others leave for the reduce's thread to do while it waits. */
  Inbox inbox() {
    return inbox;
  }

  /** Has output of other nodes taken from their engines; before the first event. */
  void use(RemoteOutputs outputs) {
    remoteOutputs = outputs;
  }

  private synchronized void wake() {
    notifyAll();
  }

  /** Ends the wait that is under way or the next one; any thread. */
  synchronized void poke() {
    poked = true;
    notifyAll();
  }

  @Override
  public void resolve(TaskCompletionEvent event) {
    switch (event.getTaskStatus()) {
      case SUCCEEDED -> {
        MapOutput output = nodeOutputs.find(event.getTaskAttemptId().toString());
        if (output != null && isGood(output)) {
          take(event, output);
        } else if (output != null || remoteOutputs == null || !remoteOutputs.succeeded(event)) {
          leaveToStock(event);
        }
      }
      case TIPFAILED -> {
        if (remoteOutputs != null) {
          remoteOutputs.tipFailed(event.getTaskAttemptId().getTaskID());
        }
        super.resolve(event);
      }
      default -> {
        if (remoteOutputs != null) {
          remoteOutputs.lost(event.getTaskAttemptId());
        }
        super.resolve(event);
      }
    }
  }

  /**
   * Of an output that was found on disk nothing is known but its own checksum, which ends each
   * segment: it is compared before the reduce sees the first record, as fetchers do.
   */
  private boolean isGood(MapOutput output) {
    if (output.isVerified()) {
      return true;
    }
    // Thousands of them may be read before the next event is asked for.
    context.getReporter().progress();
    return !receiveBuffer.isDamaged(output);
  }

  private void take(TaskCompletionEvent event, MapOutput output) {
    long bytes = receiveBuffer.shuffledBytes(output);
    count(
        event,
        "this node",
        bytes,
        MammothShuffleCounter.NODE_SEGMENTS,
        () -> receiveBuffer.take(output),
        () -> {});
  }

  @Override
  public void arrived(TaskCompletionEvent event, Arrival arrival) {
    count(
        event,
        event.getTaskTrackerHttp(),
        arrival.shuffledBytes(),
        arrival.pushed()
            ? MammothShuffleCounter.PUSHED_SEGMENTS
            : MammothShuffleCounter.PULLED_SEGMENTS,
        () -> receiveBuffer.fetched(arrival),
        () -> drop(arrival));
  }

  private void count(
      TaskCompletionEvent event,
      String host,
      long bytes,
      MammothShuffleCounter way,
      Runnable commit,
      Runnable abort) {
    TaskAttemptID map = event.getTaskAttemptId();
    long now = Time.monotonicNow();
    Runnable counted =
        () -> {
          commit.run();
          context.getReporter().incrCounter(way, 1);
        };
    try {
      copySucceeded(
          map,
          new MapHost(host, event.getTaskTrackerHttp()),
          bytes,
          now,
          now,
          new NodeMapOutput<>(map, bytes, counted, abort));
    } catch (IOException e) {
      throw new IllegalStateException("taking what is there does no I/O", e);
    }
  }

  private void drop(Arrival arrival) {
    try {
      arrival.close();
    } catch (IOException e) {
      failed(e);
    }
  }

  @Override
  public void leaveToStock(TaskCompletionEvent event) {
    stockOutputSeen.run();
    super.resolve(event);
  }

  @Override
  public void failed(IOException failure) {
    failures.reportException(failure);
  }

  /** Works on what others leave while it waits, until it is poked; the reduce's thread. */
  @Override
  public boolean waitUntilDone(int millis) throws InterruptedException {
    long deadline = Time.monotonicNow() + millis;
    while (true) {
      inbox.runAll();
      synchronized (this) {
        long left = deadline - Time.monotonicNow();
        if (left > 0 && !inbox.isEmpty()) {
          continue;
        }
        boolean done = super.waitUntilDone(poked ? 1 : (int) Math.max(1, left));
        boolean early = poked;
        poked = false;
        if (done || early || inbox.isEmpty() || left <= 0) {
          return done;
        }
      }
    }
  }
}
