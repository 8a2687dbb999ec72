// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.mammoth.engine.config.ShuffleKeys;
import org.mammoth.engine.levitated.RangeRequest;
import org.mammoth.engine.levitated.table.SegmentTable;
import org.mammoth.engine.levitated.virtual.DamagedSegmentException;
import org.mammoth.engine.levitated.virtual.FillLevels;
import org.mammoth.engine.levitated.virtual.HeldUnits;
import org.mammoth.engine.levitated.virtual.OwnThreadStepRunner;
import org.mammoth.engine.levitated.virtual.VirtualMerge;
import org.mammoth.engine.levitated.virtual.VirtualSizing;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.merge.RecordCursor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segments of a reduce that stay at other nodes, merged by turns (virtual shuffling). Its steps
 * run on the reduce's thread, so that a comparator of the job's is called by no other.
 */
final class VirtualInputs implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(VirtualInputs.class);

  /** Bytes of the checksum that stands behind a segment's records. */
  private static final int TRAILER = 4;

  private static final int ACTIVE = 3;

  private final List<LevitatedOutput> outputs;
  private final HeldUnits memory;
  private final VirtualMerge merge;

  private VirtualInputs(List<LevitatedOutput> outputs, HeldUnits memory, VirtualMerge merge) {
    this.outputs = outputs;
    this.memory = memory;
    this.merge = merge;
  }

  /**
   * Begins to merge segments.
   *
   * @param outputs of which nothing is here yet, neither compressed nor encrypted, at least one
   * @param units where memory comes from; none is waited for
   * @param beside maps of the reduce's other inputs, in ascending order: if there are any, {@code
   *     outputs} are in the order of their maps, and all cursors have ranks
   * @return null if there is too little memory for so many
   */
  static VirtualInputs of(
      JobConf job, List<LevitatedOutput> outputs, UnitSource units, KeyOrder order, int... beside)
      throws IOException {
    long allowed = ShuffleKeys.VIRTUAL_BUFFER_BYTES.get(job);
    long bytes = outputs.stream().mapToLong(LevitatedOutput::partLength).sum();
    long enough = VirtualSizing.enough(outputs.size(), bytes, units.unitBytes());
    int wanted = (int) (Math.min(allowed, enough) / units.unitBytes());
    HeldUnits memory = new HeldUnits(units, wanted);
    VirtualSizing sizes =
        VirtualSizing.of(
            outputs.size(),
            (long) memory.count() * units.unitBytes(),
            units.unitBytes(),
            new VirtualSizing.Requested(
                ShuffleKeys.VIRTUAL_SUBTREE_SEGMENTS.get(job).intValue(),
                ShuffleKeys.VIRTUAL_ENTRY_BYTES.get(job).intValue(),
                ShuffleKeys.VIRTUAL_SUBTREE_BYTES.get(job).intValue(),
                ACTIVE));
    if (sizes == null) {
      LOG.info(
          "{} segments are not merged by turns, as {} bytes of memory are too little for so many: {}",
          outputs.size(),
          (long) memory.count() * units.unitBytes(),
          memory.count() < wanted
              ? "the cache pool had no more for this reduce now"
              : ShuffleKeys.VIRTUAL_BUFFER_BYTES.name() + " allows no more");
      memory.close();
      return null;
    }
    SegmentTable table = new SegmentTable(memory, sizes.subtreeSegments());
    try {
      for (LevitatedOutput output : outputs) {
        TaskAttemptID map = TaskAttemptID.forName(output.name());
        table.add(0, map.getTaskID().getId(), map.getId(), output.rawLength(), output.identity());
      }
    } catch (IOException | RuntimeException e) {
      table.close();
      memory.close();
      throw e;
    }
    LOG.info("{} segments stay at other nodes and are merged by turns: {}", outputs.size(), sizes);
    VirtualMerge merge =
        new VirtualMerge(
            table,
            requests -> outputs.get(0).reader().read(translated(outputs, requests)),
            memory,
            TRAILER,
            () -> order,
            new OwnThreadStepRunner(),
            sizes,
            new FillLevels(
                ShuffleKeys.VIRTUAL_ACTIVATE.get(job), ShuffleKeys.VIRTUAL_STOP.get(job)),
            beside);
    return new VirtualInputs(outputs, memory, merge);
  }

  /** What the table calls a segment is not what the reader does. */
  private static List<RangeRequest> translated(
      List<LevitatedOutput> outputs, List<RangeRequest> requests) {
    List<RangeRequest> all = new ArrayList<>(requests.size());
    for (RangeRequest each : requests) {
      LevitatedOutput output = outputs.get(each.segment());
      all.add(
          new RangeRequest(
              output.number(),
              each.offset(),
              each.into(),
              failure -> {
                if (failure != null) {
                  output.broken(failure);
                }
                each.done().accept(failure);
              }));
    }
    return all;
  }

  /** Sorted inputs of the reduce's merge. */
  List<RecordCursor> cursors() {
    return merge.cursors();
  }

  /** How many segments they are. */
  int segments() {
    return outputs.size();
  }

  /** Bytes that came more than once because there was no memory to keep them. */
  long refetchedBytes() {
    return merge.counts().refetchedBytes();
  }

  /** Sees whose segment it was if the merge has failed because of one. */
  void failed() {
    for (Throwable why = merge.failure(); why != null; why = why.getCause()) {
      if (why instanceof DamagedSegmentException damaged) {
        outputs.get(damaged.segment()).broken(damaged);
      }
    }
  }

  @Override
  public void close() {
    merge.close();
    memory.close();
  }
}
