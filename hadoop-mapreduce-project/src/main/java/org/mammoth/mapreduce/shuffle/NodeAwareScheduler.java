// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin.Context;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;
import org.apache.hadoop.mapreduce.task.reduce.MapHost;
import org.apache.hadoop.mapreduce.task.reduce.MapOutput;
import org.apache.hadoop.mapreduce.task.reduce.ShuffleSchedulerImpl;
import org.apache.hadoop.util.Time;
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
  private final ShuffleCounts counts;

  /** Map attempts that no engine is asked for. */
  private final Set<String> lost;

  private final Runnable stockOutputSeen;
  private final Inbox inbox = new Inbox(this::wake);
  private final LevitatedOutputs levitated;
  private RemoteOutputs remoteOutputs;
  private boolean poked;

  NodeAwareScheduler(
      Context<K, V> context,
      ExceptionReporter failures,
      NodeOutputs nodeOutputs,
      ReceiveBuffer<K, V> receiveBuffer,
      ShuffleCounts counts,
      Set<String> lost,
      Runnable stockOutputSeen,
      LevitatedOutputs levitated) {
    super(
        context.getJobConf(),
        context.getStatus(),
        context.getReduceId(),
        new StockJudgement(failures, context.getFailedShuffleCounter()::getValue, levitated),
        context.getCopyPhase(),
        context.getShuffledMapsCounter(),
        context.getReduceShuffleBytes(),
        context.getFailedShuffleCounter());
    this.context = context;
    this.failures = failures;
    this.nodeOutputs = nodeOutputs;
    this.receiveBuffer = receiveBuffer;
    this.counts = counts;
    this.lost = lost;
    this.stockOutputSeen = stockOutputSeen;
    this.levitated = levitated;
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
        NodeOutputs.Found here = nodeOutputs.find(event.getTaskAttemptId().toString());
        if (here != null && isGood(here)) {
          take(event, here);
        } else if (here != null || !isToBeHad(event)) {
          leaveToStock(event);
        }
      }
      case TIPFAILED -> {
        if (remoteOutputs != null) {
          remoteOutputs.tipFailed(event.getTaskAttemptId().getTaskID());
        }
        super.resolve(event);
        isThere(event.getTaskAttemptId());
      }
      default -> {
        if (remoteOutputs != null) {
          remoteOutputs.lost(event.getTaskAttemptId());
        }
        super.resolve(event);
      }
    }
  }

  /** Whether the engine of another node is asked for an output. */
  private boolean isToBeHad(TaskCompletionEvent event) {
    return remoteOutputs != null
        && !lost.contains(event.getTaskAttemptId().toString())
        && remoteOutputs.succeeded(event);
  }

  /**
   * Of an output that was found on disk nothing is known but its own checksum, which ends each
   * segment: it is compared before the reduce sees the first record, as fetchers do.
   */
  private boolean isGood(NodeOutputs.Found here) {
    if (here.output().isVerified()) {
      return true;
    }
    // Thousands of them may be read before the next event is asked for.
    context.getReporter().progress();
    return !receiveBuffer.isDamaged(here);
  }

  private void take(TaskCompletionEvent event, NodeOutputs.Found here) {
    long bytes = receiveBuffer.shuffledBytes(here);
    sized(bytes);
    count(
        event,
        "this node",
        bytes,
        MammothShuffleCounter.NODE_SEGMENTS,
        () -> receiveBuffer.take(here),
        () -> {});
  }

  private void sized(long bytes) {
    if (remoteOutputs != null) {
      remoteOutputs.sized(bytes);
    }
  }

  @Override
  public void arrived(TaskCompletionEvent event, Arrival arrival) {
    sized(arrival.shuffledBytes());
    count(
        event,
        event.getTaskTrackerHttp(),
        arrival.shuffledBytes(),
        arrival.pushed()
            ? MammothShuffleCounter.PUSHED_SEGMENTS
            : MammothShuffleCounter.PULLED_SEGMENTS,
        () -> {
          receiveBuffer.fetched(arrival);
          if (arrival.pushed()) {
            counts.add(MammothShuffleCounter.PUSHED_BYTES, arrival.shuffledBytes());
          }
        },
        () -> drop(arrival));
  }

  /** Counts as copied only when nothing else is missing: until then its source may be lost. */
  @Override
  public void levitated(TaskCompletionEvent event, LevitatedOutput output) {
    sized(output.shuffledBytes());
    drop(levitated.hold(event, output));
    receiveBuffer.left(output);
    context.getCopyPhase().set(levitated.part());
    takeLevitated();
  }

  @Override
  public boolean dropped(TaskAttemptID id) {
    LevitatedOutput held = levitated.release(id);
    drop(held);
    return held != null;
  }

  private void isThere(TaskAttemptID map) {
    drop(levitated.isThere(map.getTaskID()));
    if (levitated.holds()) {
      inbox.post(this::takeLevitated);
    }
  }

  private void takeLevitated() {
    levitated
        .takeAllIfLast()
        .forEach(
            (event, output) ->
                count(
                    event,
                    event.getTaskTrackerHttp(),
                    output.shuffledBytes(),
                    MammothShuffleCounter.LEVITATED_SEGMENTS,
                    () -> {
                      receiveBuffer.fetched(output);
                      counts.add(MammothShuffleCounter.LEVITATED_BYTES, output.shuffledBytes());
                    },
                    () -> drop(output)));
  }

  @Override
  public synchronized void copySucceeded(
      TaskAttemptID map,
      MapHost host,
      long bytes,
      long startMillis,
      long endMillis,
      MapOutput<K, V> output)
      throws IOException {
    super.copySucceeded(map, host, bytes, startMillis, endMillis, output);
    isThere(map);
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
          counts.add(way, 1);
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

  private void drop(ReduceInput arrival) {
    try {
      if (arrival != null) {
        arrival.close();
      }
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

  /** Works for a while on what others leave, when the reduce's own thread reduces. */
  void follow(int millis) throws InterruptedException {
    synchronized (this) {
      if (inbox.isEmpty()) {
        wait(millis);
      }
    }
    inbox.runAll();
  }

  /** Drops what is at its source and was not counted; safe to call twice. */
  void dropLevitated() {
    levitated.releaseAll().forEach(this::drop);
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
