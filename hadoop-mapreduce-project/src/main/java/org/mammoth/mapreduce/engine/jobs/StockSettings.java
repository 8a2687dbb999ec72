// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import java.util.function.Predicate;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.QuickSort;

/**
 * Settings that only upstream's sort and shuffle heed or refuse. A job with such a setting has
 * those, in the engine too: what it asks for is done, and an error is upstream's own, wherever the
 * task runs.
 */
public final class StockSettings {

  /** What upstream's buffer can have, MiB. */
  private static final int LARGEST_SORT_MB = 0x7FF;

  private static final int DEFAULT_SORT_MB = MRJobConfig.DEFAULT_IO_SORT_MB;
  private static final float DEFAULT_SPILL_PERCENT = 0.8f;
  private static final int NO_LIMIT = -1;
  private static final float DEFAULT_MEMORY_LIMIT_PERCENT = 0.25f;

  private StockSettings() {}

  /**
   * Whether a look at settings allows ours. One that is no number does not: upstream's class says
   * so, where it is made at all, which a job without reduces never does.
   */
  private static boolean allows(Predicate<JobConf> look, JobConf job) {
    try {
      return look.test(job);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** Whether a map's settings mean to upstream's {@code MapOutputBuffer} what ours does anyway. */
  public static boolean allowOurSort(JobConf job) {
    return allows(StockSettings::fitSort, job);
  }

  private static boolean fitSort(JobConf job) {
    float spill = job.getFloat(MRJobConfig.MAP_SORT_SPILL_PERCENT, DEFAULT_SPILL_PERCENT);
    int sortMb = job.getInt(MRJobConfig.IO_SORT_MB, DEFAULT_SORT_MB);
    return haveProgress(job)
        && spill > 0
        && spill <= 1
        && sortMb > 0
        && sortMb <= LARGEST_SORT_MB
        && job.getInt(MRJobConfig.SPILL_FILES_COUNT_LIMIT, NO_LIMIT) == NO_LIMIT
        && job.get(MRJobConfig.MAP_SORT_CLASS, QuickSort.class.getName())
            .equals(QuickSort.class.getName());
  }

  /** The same for a reduce and upstream's {@code MergeManagerImpl}. */
  public static boolean allowOurShuffle(JobConf job) {
    return allows(StockSettings::fitShuffle, job);
  }

  private static boolean fitShuffle(JobConf job) {
    float single =
        job.getFloat(MRJobConfig.SHUFFLE_MEMORY_LIMIT_PERCENT, DEFAULT_MEMORY_LIMIT_PERCENT);
    float merge =
        job.getFloat(MRJobConfig.SHUFFLE_MERGE_PERCENT, MRJobConfig.DEFAULT_SHUFFLE_MERGE_PERCENT);
    float input =
        job.getFloat(
            MRJobConfig.SHUFFLE_INPUT_BUFFER_PERCENT,
            MRJobConfig.DEFAULT_SHUFFLE_INPUT_BUFFER_PERCENT);
    float kept = job.getFloat(MRJobConfig.REDUCE_INPUT_BUFFER_PERCENT, 0);
    return haveProgress(job)
        && input > 0
        && input <= 1
        && single >= 0
        && single <= 1
        && single < merge
        && kept >= 0
        && kept <= 1;
  }

  /** Upstream's merge and combine take the remainder of a division by these. */
  private static boolean haveProgress(JobConf job) {
    return job.getLong(MRJobConfig.RECORDS_BEFORE_PROGRESS, 1) != 0
        && job.getLong(MRJobConfig.COMBINE_RECORDS_BEFORE_PROGRESS, 1) != 0;
  }
}
