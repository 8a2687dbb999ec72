// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.util.function.LongSupplier;
import org.apache.hadoop.mapreduce.task.reduce.ExceptionReporter;

/**
 * What upstream's {@code ShuffleSchedulerImpl} says of a reduce's health. It ends a reduce whose
 * fetches have failed as often as they have succeeded, and does not know of outputs that stay at
 * their sources: with all others there, the first failure would be the end, before the map behind
 * it can run again. So its verdict does not count as long as there are more outputs than failures.
 *
 * @param failures ends the reduce
 * @param failed fetches that have failed, as upstream counts them
 * @param outputs which outputs there are, here or at their sources
 */
record StockJudgement(ExceptionReporter failures, LongSupplier failed, LevitatedOutputs outputs)
    implements ExceptionReporter {

  /** Begins the verdict; what it says otherwise is about one output or a disk. */
  private static final String UNHEALTHY = "Exceeded MAX_FAILED_UNIQUE_FETCHES";

  @Override
  public void reportException(Throwable failure) {
    boolean verdict = String.valueOf(failure.getMessage()).startsWith(UNHEALTHY);
    if (!verdict || failed.getAsLong() >= outputs.count()) {
      failures.reportException(failure);
    }
  }
}
