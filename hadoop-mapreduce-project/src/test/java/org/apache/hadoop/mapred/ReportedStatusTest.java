// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapred;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.mapreduce.FileSystemCounter;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.counters.Limits;
import org.junit.jupiter.api.Test;
import org.mammoth.mapreduce.MammothCounter;
import org.mammoth.mapreduce.MammothShuffleCounter;

/** Mammoth's counters take nothing of what the job may count. */
class ReportedStatusTest {

  private static final int JOBS = 200;

  private static final Map<Enum<?>, Long> OURS =
      Map.of(
          MammothShuffleCounter.NODE_SEGMENTS,
          7L,
          MammothShuffleCounter.DISK_BYTES,
          1L << 40,
          MammothCounter.ENGINE_FALLBACKS,
          1L);

  /** A reduce's status; {@code counters} of its own in {@code groups} groups. */
  private static TaskStatus status(int counters, int groups) {
    Counters own = new Counters();
    for (int i = 0; i < counters; i++) {
      own.findCounter("group " + i % groups, "counter " + i).increment(i);
    }
    return new ReduceTaskStatus(
        new TaskAttemptID("test", 1, TaskType.REDUCE, 0, 0),
        0.5f,
        1,
        TaskStatus.State.RUNNING,
        "",
        "reduce > reduce",
        "",
        TaskStatus.Phase.REDUCE,
        own);
  }

  private static byte[] sent(TaskStatus status) throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    status.write(out);
    return Arrays.copyOf(out.getData(), out.getLength());
  }

  private static Counters received(TaskStatus status) throws IOException {
    byte[] sent = sent(status);
    DataInputBuffer in = new DataInputBuffer();
    in.reset(sent, sent.length);
    TaskStatus received = new ReduceTaskStatus();
    received.readFields(in);
    return received.getCounters();
  }

  @Test
  void whatIsReceivedIsTheJobsOwnAndOurs() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < JOBS; i++) {
      TaskStatus status = status(random.nextInt(40), 1 + random.nextInt(20));
      Counters own = status.getCounters();
      own.findCounter(TaskCounter.values()[random.nextInt(TaskCounter.values().length)])
          .increment(random.nextLong());
      own.findCounter(JobCounter.NUM_FAILED_MAPS).increment(random.nextInt(3));
      own.findCounter("hdfs", FileSystemCounter.BYTES_READ).increment(random.nextLong());
      own.findCounter("s3a", FileSystemCounter.READ_OPS).increment(0);
      own.getGroup("empty");
      byte[] before = sent(status);
      Counters received = received(ReportedStatus.with(status, OURS));
      assertThat(sent(status)).as("seed %d: the live status is untouched", seed).isEqualTo(before);
      for (Map.Entry<Enum<?>, Long> counter : OURS.entrySet()) {
        assertThat(received.findCounter(counter.getKey()).getValue()).isEqualTo(counter.getValue());
        own.findCounter(counter.getKey()).setValue(counter.getValue());
      }
      assertThat(received).as("seed %d", seed).isEqualTo(own);
    }
  }

  /** Whatever a job may count on stock, its ApplicationMaster can read and add up. */
  @Test
  void noJobThatKeepsItsLimitsExceedsThemThroughOurs() throws IOException {
    for (int counters = 0; counters <= Limits.getCountersMax(); counters++) {
      for (int groups : new int[] {1, Limits.getGroupsMax() / 2, Limits.getGroupsMax()}) {
        TaskStatus status = status(counters, groups);
        Counters received = received(ReportedStatus.with(status, OURS));
        // to look for a counter would add it
        boolean told = received.getGroupNames().contains(MammothShuffleCounter.class.getName());
        assertThat(told)
            .as("%d counters in %d groups", counters, groups)
            .isEqualTo(
                counters + OURS.size() <= Limits.getCountersMax() / 2
                    && Math.min(groups, counters) + 2 <= Limits.getGroupsMax() / 2);
      }
    }
  }

  /** Maps and reduces that count different things, each as many as gets ours beside it. */
  @Test
  void theSumOfTwoKindsOfTasksHasRoom() {
    int each = Limits.getCountersMax() / 2 - OURS.size();
    TaskStatus map = ReportedStatus.with(status(each, 1), OURS);
    TaskStatus reduce = new ReduceTaskStatus();
    reduce.setCounters(new Counters());
    for (int i = 0; i < each; i++) {
      reduce.getCounters().findCounter("reduce", "counter " + i).increment(1);
    }
    Counters sum = new Counters();
    sum.incrAllCounters(map.getCounters());
    sum.incrAllCounters(ReportedStatus.with(reduce, OURS).getCounters());
    assertThat(sum.findCounter(MammothShuffleCounter.NODE_SEGMENTS).getValue()).isEqualTo(14);
  }

  @Test
  void aStatusWithoutOursIsSentAsItIs() {
    TaskStatus status = status(3, 1);
    assertThat(ReportedStatus.with(status, Map.of())).isSameAs(status);
    assertThat(ReportedStatus.with(null, OURS)).isNull();
  }
}
