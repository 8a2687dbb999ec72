// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.spill.UpstreamSort;

/** How upstream's {@code MapTask.MapOutputBuffer} sorts, and whether its order then shows. */
public final class StockSpill {

  private static final float DEFAULT_SPILL_PERCENT = 0.8f;

  private StockSpill() {}

  /** What decides when upstream's buffer spills, and how spills are merged. */
  static UpstreamSort settings(JobConf job) {
    int buffer = job.getInt(MRJobConfig.IO_SORT_MB, MRJobConfig.DEFAULT_IO_SORT_MB) << 20;
    buffer -= buffer % UpstreamSort.RECORD_BYTES;
    // in its own arithmetic: the last bytes count
    int spill =
        (int) (buffer * job.getFloat(MRJobConfig.MAP_SORT_SPILL_PERCENT, DEFAULT_SPILL_PERCENT));
    return new UpstreamSort(
        buffer, spill, job.getInt(MRJobConfig.IO_SORT_FACTOR, MRJobConfig.DEFAULT_IO_SORT_FACTOR));
  }

  /** Whether the order of a key's values is known not to show in what the job's reduces write. */
  public static boolean isFoldedByReduce(JobConf job) {
    RawComparator<?> order = job.getOutputKeyComparator();
    // by its name: a reduce makes the one that groups, and a map may lack what it takes
    String grouping =
        job.getTrimmed(MRJobConfig.GROUP_COMPARATOR_CLASS, order.getClass().getName());
    boolean sameBytes =
        KeyOrders.compareAllBytes(order, job.getMapOutputKeyClass())
            && grouping.equals(order.getClass().getName());
    String key = job.getUseNewReducer() ? MRJobConfig.REDUCE_CLASS_ATTR : "mapred.reducer.class";
    String reducer = job.get(key);
    if (!sameBytes || reducer == null) {
      return false;
    }
    try {
      // a map does not initialise it
      return CombinerCode.isExactFold(Class.forName(reducer.trim(), false, job.getClassLoader()));
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
