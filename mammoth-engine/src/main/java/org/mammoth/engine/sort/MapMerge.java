// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.util.Progressable;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.PartitionCursor;
import org.mammoth.engine.sort.merge.PartitionedOutput;
import org.mammoth.engine.sort.merge.RecordCursor;
import org.mammoth.engine.sort.merge.SegmentCursor;
import org.mammoth.engine.sort.merge.SegmentWriter;
import org.mammoth.engine.sort.merge.UpstreamMerge;
import org.mammoth.engine.sort.spill.Spill;

/**
 * Merges what a map has sorted, partition by partition, into its output or into a run.
 *
 * <p>One thread at a time.
 */
final class MapMerge {

  static final int WINDOW_BYTES = 64 << 10;

  /** What the windows of all runs that are merged take together, as long as each has a page. */
  private static final int WINDOWS_BYTES = 16 << 20;

  private static final int LEAST_WINDOW_BYTES = 4 << 10;

  private final KeyOrder order;
  private final int partitions;
  private final Combiner combiner;
  private final SegmentWriter writer;
  private final Progressable progress;

  /**
   * What is merged.
   *
   * @param runs in the order in which they were written
   * @param spills those of upstream, which follow the runs
   * @param others what was sorted without regard to upstream's spills
   * @param large the records too large for an element, sorted
   */
  record Sorted(
      List<Run> runs, List<Spill> spills, List<PartitionCursor> others, List<LargeRecord> large) {

    /** Whether runs and spills are all there is. */
    private boolean isSpills() {
      return others.isEmpty() && large.isEmpty();
    }

    /** Bytes of a partition's records in one of the runs or spills, as a segment. */
    private long length(int place, int partition) {
      return place < runs.size()
          ? runs.get(place).length(partition)
          : spills.get(place - runs.size()).length(partition);
    }
  }

  /**
   * A merge for one map.
   *
   * @param combiner the job's, or null
   * @param writer for all that is written, by turns with its owner
   * @param progress told with each record: large ones take long
   */
  MapMerge(
      KeyOrder order,
      int partitions,
      Combiner combiner,
      SegmentWriter writer,
      Progressable progress) {
    this.order = order;
    this.partitions = partitions;
    this.combiner = combiner;
    this.writer = writer;
    this.progress = progress;
  }

  /** Merges, with equal keys in the order of the inputs. */
  void merge(PartitionedOutput output, Sorted from, boolean combine)
      throws IOException, InterruptedException {
    merge(output, from, combine, 0);
  }

  /**
   * Merges in the passes of upstream's merge of spills. Large records come last among equal keys.
   *
   * @param factor the most spills that are merged at a time
   */
  void mergeLikeUpstream(PartitionedOutput output, Sorted from, boolean combine, int factor)
      throws IOException, InterruptedException {
    merge(output, from, combine, factor);
  }

  private void merge(PartitionedOutput output, Sorted from, boolean combine, int factor)
      throws IOException, InterruptedException {
    List<PartitionCursor> inMemory = new ArrayList<>();
    for (Spill each : from.spills()) {
      inMemory.add(each.cursor());
    }
    inMemory.addAll(from.others());
    if (!from.large().isEmpty()) {
      inMemory.add(new LargeCursor(from.large()));
    }
    for (int partition = 0; partition < partitions; partition++) {
      List<RecordCursor> cursors = new ArrayList<>();
      try {
        openRuns(from.runs(), partition, cursors);
        for (PartitionCursor each : inMemory) {
          each.enter(partition);
          cursors.add(each);
        }
        writer.begin(output.begin(partition));
        MergeQueue merged =
            factor == 0
                ? new MergeQueue(order, cursors)
                : likeUpstream(cursors, from, partition, factor);
        // upstream combines spills even where there is no record
        if (combine && (factor != 0 || !merged.isEmpty())) {
          combiner.combine(merged, writer);
          leaveOut(merged);
        } else {
          copy(merged);
        }
        writer.end();
        output.end(partition, writer.rawBytes(), writer.records());
        progress.progress();
      } finally {
        for (RecordCursor cursor : cursors) {
          cursor.close();
        }
      }
    }
  }

  private void openRuns(List<Run> runs, int partition, List<RecordCursor> cursors)
      throws IOException, InterruptedException {
    for (int i = 0; i < runs.size(); i++) {
      Run run = runs.get(i);
      long length = run.length(partition);
      int window = (int) Math.min(window(runs.size()), length);
      cursors.add(new SegmentCursor(order, run.open(partition), "run " + i, window, length));
    }
  }

  private static int window(int runs) {
    return Math.max(LEAST_WINDOW_BYTES, Math.min(WINDOW_BYTES, WINDOWS_BYTES / runs));
  }

  private MergeQueue likeUpstream(
      List<RecordCursor> cursors, Sorted from, int partition, int factor) {
    if (!from.isSpills() || cursors.size() <= factor) {
      return MergeQueue.likeUpstream(order, cursors);
    }
    List<UpstreamMerge.Input> inputs = new ArrayList<>();
    for (RecordCursor cursor : cursors) {
      inputs.add(new UpstreamMerge.Input(cursor, from.length(inputs.size(), partition)));
    }
    return new UpstreamMerge(order, factor).merge(inputs);
  }

  /** Reads what a combiner has left unread, so that it is freed, and known to be sound. */
  private void leaveOut(MergeQueue merged) throws IOException {
    while (merged.next()) {
      progress.progress();
    }
  }

  private void copy(MergeQueue merged) throws IOException {
    while (merged.next()) {
      writer.append(merged.top());
      progress.progress();
    }
  }
}
