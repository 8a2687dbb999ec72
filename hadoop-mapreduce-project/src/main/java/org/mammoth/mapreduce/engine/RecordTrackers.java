package org.mammoth.mapreduce.engine;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.mapred.JobConf;
import org.mammoth.engine.upstream.StatisticsSums;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives upstream's classes that count the bytes of each record read or written sums that are cheap
 * to ask for; see {@link StatisticsSums}. They are defined here, rewritten, before the first task
 * needs them.
 */
final class RecordTrackers {

  private static final Logger LOG = LoggerFactory.getLogger(RecordTrackers.class);

  /** Nested classes of {@code MapTask} and {@code ReduceTask}, in {@link JobConf}'s package. */
  static final List<String> CLASSES =
      List.of(
          "MapTask$TrackedRecordReader",
          "MapTask$NewTrackingRecordReader",
          "MapTask$DirectMapOutputCollector",
          "MapTask$NewDirectOutputCollector",
          "ReduceTask$OldTrackingRecordWriter",
          "ReduceTask$NewTrackingRecordWriter");

  private RecordTrackers() {}

  /** Does so, or leaves to upstream's what cannot be rewritten. Call once, before any task. */
  static void install() {
    if (!StatisticsSums.areKept()) {
      LOG.warn("This Hadoop keeps its file-system statistics otherwise; bytes are summed by it");
      return;
    }
    for (String name : CLASSES) {
      try {
        UpstreamClass tracker = upstream(name);
        tracker.define(StatisticsSums.rewrite(tracker.code()));
      } catch (IOException | IllegalAccessException | LinkageError e) {
        LOG.warn("{} stays as it is: its bytes are summed by Hadoop, more slowly", name, e);
      }
    }
  }

  static UpstreamClass upstream(String name) {
    return new UpstreamClass(JobConf.class, name);
  }
}
