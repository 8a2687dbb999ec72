// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.mammoth.engine.sort.KeyOrder;
import org.mammoth.engine.sort.MergeQueue;
import org.mammoth.engine.sort.MergedInput;
import org.mammoth.engine.sort.RecordCursor;
import org.mammoth.engine.sort.UpstreamMerge;

/**
 * How upstream's {@code MergeManagerImpl} merges the inputs of a reduce, so that equal keys come in
 * its order: the segments that it would have in memory are merged into one, the shortest first, and
 * that with those that are too large for its memory.
 */
final class StockMerge {

  private static final float DEFAULT_SEGMENT_PERCENT = 0.25f;

  /** Of its -Xmx a process has at least this, whatever its collector keeps empty. */
  private static final double USABLE = 0.85;

  private static final long MIB = 1L << 20;

  /** As its MergeManagerImpl: by length, then as they came, which is by their maps at its best. */
  private static final Comparator<ReduceInput> ORDER =
      Comparator.comparingLong(ReduceInput::rawLength).thenComparingInt(ReduceInput::map);

  private final List<ReduceInput> inMemory = new ArrayList<>();
  private final List<ReduceInput> onDisk = new ArrayList<>();
  private final int factor;

  private StockMerge(int factor) {
    this.factor = factor;
  }

  /**
   * The merge of a reduce's inputs; null if upstream's own depends on which segment comes first:
   * when there are so many that it begins to merge before the last one is there.
   *
   * @param plain whether segments are of the same length in memory and on disk
   */
  static StockMerge of(JobConf job, List<ReduceInput> inputs, boolean plain) {
    long heap = JobConf.parseMaximumHeapSizeMB(job.getTaskJavaOpts(TaskType.REDUCE)) * MIB;
    long memory =
        (long)
            (job.getLong(MRJobConfig.REDUCE_MEMORY_TOTAL_BYTES, (long) (USABLE * heap))
                * job.getFloat(
                    MRJobConfig.SHUFFLE_INPUT_BUFFER_PERCENT,
                    MRJobConfig.DEFAULT_SHUFFLE_INPUT_BUFFER_PERCENT));
    float merge =
        job.getFloat(MRJobConfig.SHUFFLE_MERGE_PERCENT, MRJobConfig.DEFAULT_SHUFFLE_MERGE_PERCENT);
    float segment = job.getFloat(MRJobConfig.SHUFFLE_MEMORY_LIMIT_PERCENT, DEFAULT_SEGMENT_PERCENT);
    long mostOfSegment = Math.min((long) (memory * segment), Integer.MAX_VALUE);
    StockMerge all =
        new StockMerge(job.getInt(MRJobConfig.IO_SORT_FACTOR, MRJobConfig.DEFAULT_IO_SORT_FACTOR));
    long total = 0;
    for (ReduceInput input : inputs) {
      if (input.rawLength() < mostOfSegment) {
        all.inMemory.add(input);
        total += input.rawLength();
      } else {
        all.onDisk.add(input);
      }
    }
    all.inMemory.sort(ORDER);
    all.onDisk.sort(ORDER);
    return total < (long) (memory * merge) && (plain || all.onDisk.isEmpty()) && all.isSteady()
        ? all
        : null;
  }

  /** Whether files are not merged while others come. */
  private boolean isSteady() {
    return onDisk.size() < (inMemory.isEmpty() ? 2 * factor - 1 : factor);
  }

  /** The inputs in the order in which {@link #merge} takes them. */
  List<ReduceInput> inputs() {
    List<ReduceInput> all = new ArrayList<>(inMemory);
    all.addAll(onDisk);
    return all;
  }

  /** Merges all inputs, whose cursors have not moved yet. */
  MergeQueue merge(KeyOrder order, List<? extends RecordCursor> cursors) {
    int here = inMemory.size();
    MergeQueue memory = MergeQueue.likeUpstream(order, cursors.subList(0, here));
    if (onDisk.isEmpty()) {
      return memory;
    }
    List<UpstreamMerge.Input> files = new ArrayList<>();
    for (int i = 0; i < onDisk.size(); i++) {
      files.add(new UpstreamMerge.Input(cursors.get(here + i), onDisk.get(i).rawLength()));
    }
    UpstreamMerge merge = new UpstreamMerge(order, factor);
    if (here > 0) {
      // one end mark is left of all
      long marks = (here - 1L) * MergedInput.MARK_BYTES;
      long length = inMemory.stream().mapToLong(ReduceInput::rawLength).sum();
      merge.insert(files, memory, length - marks);
    }
    return merge.merge(files);
  }
}
