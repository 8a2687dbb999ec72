// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.task.reduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin.Context;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** Upstream's fetchers of one reduce, which get map output of nodes over HTTP as on stock. */
public final class StockFetchers<K, V> {

  private static final int DEFAULT_PARALLEL_COPIES = 5;

  private final List<Fetcher<K, V>> fetchers = new ArrayList<>();

  private StockFetchers() {}

  /**
   * Starts as many as the job has parallel copies.
   *
   * @param scheduler tells them what to fetch
   * @param into takes what they have fetched
   * @param failures is told what ends one of them
   */
  public static <K, V> StockFetchers<K, V> start(
      Context<K, V> context,
      ShuffleSchedulerImpl<K, V> scheduler,
      MergeManager<K, V> into,
      ExceptionReporter failures) {
    StockFetchers<K, V> started = new StockFetchers<>();
    JobConf job = context.getJobConf();
    int count = job.getInt(MRJobConfig.SHUFFLE_PARALLEL_COPIES, DEFAULT_PARALLEL_COPIES);
    ShuffleClientMetrics metrics = ShuffleClientMetrics.create(context.getReduceId(), job);
    for (int i = 0; i < count; i++) {
      Fetcher<K, V> fetcher =
          new Fetcher<>(
              job,
              context.getReduceId(),
              scheduler,
              into,
              context.getReporter(),
              metrics,
              failures,
              context.getReduceTask().getShuffleSecret());
      started.fetchers.add(fetcher);
      fetcher.start();
    }
    return started;
  }

  /**
   * What ends a reduce that does not get its map output: of upstream's class, with its message, by
   * which people find it.
   *
   * @param thread the name of the one that failed, such as {@code fetcher#1}
   */
  public static IOException error(String thread, Throwable cause) {
    return new Shuffle.ShuffleError("error in shuffle in " + thread, cause);
  }

  /** How many there are. */
  public int count() {
    return fetchers.size();
  }

  /** Ends them and waits until they have ended. */
  public void shutDown() throws InterruptedException {
    for (Fetcher<K, V> fetcher : fetchers) {
      fetcher.shutDown();
    }
  }
}
