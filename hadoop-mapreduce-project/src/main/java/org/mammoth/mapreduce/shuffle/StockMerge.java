// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskType;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.MergedInput;
import org.mammoth.engine.sort.merge.RecordCursor;
import org.mammoth.engine.sort.merge.UpstreamMerge;

/**
 * How upstream's {@code MergeManagerImpl} merges the inputs of a reduce, so that equal keys come in
 * its order: the segments that it would have in memory are merged into one, the shortest first, and
 * that with those that are too large for its memory. What it may keep in memory while it reduces
 * ({@code mapreduce.reduce.input.buffer.percent}), the longest of them, joins the last merge
 * singly.
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
  private final List<ReduceInput> kept = new ArrayList<>();
  private final int factor;

  private StockMerge(int factor) {
    this.factor = factor;
  }

  /**
   * The merge of a reduce's inputs; null if upstream's own depends on which segment comes first:
   * when there are so many that it begins to merge before the last one is there, or it is to merge
   * in memory as they come. Null, too, if its memory can't be told from the job's settings.
   *
   * @param plain whether segments are of the same length in memory and on disk
   */
  static StockMerge of(JobConf job, List<ReduceInput> inputs, boolean plain) {
    long heap = JobConf.parseMaximumHeapSizeMB(job.getTaskJavaOpts(TaskType.REDUCE)) * MIB;
    long memory = memory(job, (long) (USABLE * heap));
    if (memory < 0 || job.getBoolean(MRJobConfig.REDUCE_MEMTOMEM_ENABLED, false)) {
      return null;
    }
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
    boolean decided = all.keep(total, kept(job, memory), kept(job, memory(job, heap)));
    return decided
            && total < (long) (memory * merge)
            && (plain || all.onDisk.isEmpty())
            && all.isSteady()
        ? all
        : null;
  }

  private static long memory(JobConf job, long heap) {
    return (long)
        (job.getLong(MRJobConfig.REDUCE_MEMORY_TOTAL_BYTES, heap)
            * job.getFloat(
                MRJobConfig.SHUFFLE_INPUT_BUFFER_PERCENT,
                MRJobConfig.DEFAULT_SHUFFLE_INPUT_BUFFER_PERCENT));
  }

  private static long kept(JobConf job, long memory) {
    return (long) (memory * job.getFloat(MRJobConfig.REDUCE_INPUT_BUFFER_PERCENT, 0));
  }

  /**
   * Takes the longest segments out of those that are merged first: as many as may stay.
   *
   * @param total bytes in memory
   * @param least bytes that may stay, whatever its collector keeps empty
   * @param most bytes that may stay if that is nothing
   * @return whether both mean the same segments
   */
  private boolean keep(long total, long least, long most) {
    int first = merged(total, least);
    if (first != merged(total, most)) {
      return false;
    }
    List<ReduceInput> rest = inMemory.subList(first, inMemory.size());
    kept.addAll(rest);
    rest.clear();
    return true;
  }

  /** How many segments upstream merges, the shortest first, until the others may stay. */
  private int merged(long total, long mayStay) {
    long left = total;
    int count = 0;
    while (left > mayStay) {
      left -= inMemory.get(count).rawLength();
      count++;
    }
    return count;
  }

  /** Whether files are not merged while others come. */
  private boolean isSteady() {
    return onDisk.size() < (inMemory.isEmpty() ? 2 * factor - 1 : factor);
  }

  /** The inputs in the order in which {@link #merge} takes them. */
  List<ReduceInput> inputs() {
    List<ReduceInput> all = new ArrayList<>(inMemory);
    all.addAll(onDisk);
    all.addAll(kept);
    return all;
  }

  /** Merges all inputs, whose cursors have not moved yet. */
  MergeQueue merge(KeyOrder order, List<? extends RecordCursor> cursors) {
    int files = inMemory.size() + onDisk.size();
    List<? extends RecordCursor> ofFiles = cursors.subList(0, files);
    List<? extends RecordCursor> ofKept = cursors.subList(files, cursors.size());
    if (kept.isEmpty()) {
      return mergeFiles(order, ofFiles);
    }
    List<RecordCursor> last = new ArrayList<>(ofKept);
    if (files > 0) {
      last.add(UpstreamMerge.cursor(mergeFiles(order, ofFiles)));
    }
    return MergeQueue.likeUpstream(order, last);
  }

  /** Merges what upstream has or puts on disk. */
  private MergeQueue mergeFiles(KeyOrder order, List<? extends RecordCursor> cursors) {
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
