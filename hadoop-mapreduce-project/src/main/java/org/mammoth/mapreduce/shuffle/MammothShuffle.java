// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.apache.hadoop.mapred.TaskStatus;
import org.mammoth.engine.memory.BufferKind;
import org.mammoth.mapreduce.buffers.JobWeight;
import org.mammoth.mapreduce.buffers.ReduceBuffers;
import org.mammoth.mapreduce.buffers.TaskBuffers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reduce side of a task in the engine: takes over what the node's maps hold, gets the rest from
 * other nodes' engines, or as upstream does, and hands the reduce one merge of everything. Outside
 * an engine it is not used.
 */
public final class MammothShuffle<K, V> implements ShuffleConsumerPlugin<K, V> {

  private static final Logger LOG = LoggerFactory.getLogger(MammothShuffle.class);

  /** Sources are lost one by one when a node dies; after so many the attempt ends. */
  private static final int ROUNDS = 4;

  /**
   * Counters that each reduce of stock's has, at 0 as long as nothing fails (upstream's Fetcher
   * asks for them when it is made). A reduce here may make no fetcher.
   */
  private static final String ERRORS = "Shuffle Errors";

  private static final List<String> ERRORS_OF_FETCHERS =
      List.of("BAD_ID", "CONNECTION", "IO_ERROR", "WRONG_LENGTH", "WRONG_MAP", "WRONG_REDUCE");

  private Context<K, V> context;
  private TaskBuffers buffers;
  private ReduceBuffers memory;
  private volatile ShuffleRound<K, V> round;

  @Override
  public void init(Context<K, V> given) {
    buffers = TaskBuffers.ofCurrentTask();
    if (buffers == null) {
      throw new IllegalStateException("this task does not run in an engine");
    }
    context = given;
    ERRORS_OF_FETCHERS.forEach(name -> given.getReporter().getCounter(ERRORS, name));
    memory = buffers.openReduce(JobWeight.of(given.getJobConf()));
    begin(Set.of());
    buffers.revocable(
        BufferKind.RECEIVE, () -> round.revocableBytes(), wanted -> round.revoke(wanted));
    buffers.onEnd(this::close);
  }

  private void begin(Set<String> lost) {
    try {
      round = new ShuffleRound<>(context, buffers, memory, lost);
    } catch (IOException e) {
      throw new IllegalStateException("the format of this job's map output is not usable", e);
    }
  }

  @Override
  public RawKeyValueIterator run() throws IOException, InterruptedException {
    RawKeyValueIterator merge = null;
    Set<String> lost = new HashSet<>();
    for (int number = 1; merge == null; number++) {
      try {
        merge = round.run();
      } catch (SourceLostEarlyException e) {
        round.report(e.maps());
        if (number == ROUNDS) {
          throw e;
        }
        LOG.warn("All map output is fetched anew, as {}", e.getMessage());
        lost.addAll(e.maps());
        round.countInVain();
        round.end();
        begin(Set.copyOf(lost));
      }
    }
    context.getCopyPhase().complete();
    context.getStatus().setPhase(TaskStatus.Phase.SORT);
    context.getReduceTask().statusUpdate(context.getUmbilical());
    return merge;
  }

  /** Upstream calls this before it reports the attempt's last counters, the engine once more. */
  @Override
  public void close() {
    round.count();
    round.end();
  }
}
