// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MROutputFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.IoSettings;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.ReduceMemory;
import org.mammoth.engine.memory.SchedulerSettings;
import org.mammoth.engine.sort.merge.SegmentInput;
import org.mammoth.mapreduce.buffers.AttemptFiles;

/** What a reduce says of the memory it wants while its inputs arrive. */
class ReceiveBufferTest {

  private static final int UNIT = 4 << 10;
  private static final String ATTEMPT = "attempt_7_0001_r_000001_0";

  @TempDir Path folder;
  private final List<Long> demands = new ArrayList<>();

  /** A segment that is not in memory. */
  private record OnDisk(String name, long rawLength) implements ReduceInput {

    @Override
    public CameFrom cameFrom() {
      return CameFrom.NOWHERE;
    }

    @Override
    public SegmentInput open() {
      throw new UnsupportedOperationException("nobody merges here");
    }

    @Override
    public void close() {}
  }

  /** What is done with a buffer. */
  private interface Use {
    void of(ReceiveBuffer<Text, Text> buffer) throws IOException;
  }

  private void receive(int maps) throws IOException {
    with(
        maps,
        buffer -> {
          for (int map = 0; map < maps; map++) {
            buffer.fetched(new OnDisk("m" + map, 1_000));
          }
        });
  }

  private void with(int maps, Use use) throws IOException {
    JobConf job = new JobConf(new Configuration(false));
    job.setMapOutputKeyClass(Text.class);
    job.setMapOutputValueClass(Text.class);
    job.setNumMapTasks(maps);
    job.set("mapreduce.cluster.local.dir", folder.toString());
    MROutputFiles names = new MROutputFiles();
    names.setConf(job);
    try (LeakCheckingPool pool = new LeakCheckingPool(BufferType.ARRAY, UNIT, 8)) {
      CacheScheduler scheduler =
          new CacheScheduler(
              pool,
              new Ledger(8L * UNIT),
              SchedulerSettings.of(new Configuration(false)),
              System::nanoTime);
      ReduceMemory memory = scheduler.registerReduce(new LeaseOwner("ann", "job", ATTEMPT), 1);
      IoScheduler io =
          IoScheduler.builder(IoSettings.of(job, UNIT), List.of(folder))
              .threads(TestNode::thread)
              .build();
      ReceiveBuffer<Text, Text> buffer =
          new ReceiveBuffer<>(
              job,
              FileSystem.getLocal(job).getRaw(),
              names,
              memory.receive(),
              new AttemptFiles(io, ATTEMPT),
              1,
              new Counters.Counter(),
              demands::add);
      use.of(buffer);
      buffer.release();
      memory.close();
      io.close();
    }
  }

  @Test
  void itWantsWhatIsToComeAndAUnitToReadEachSegmentAhead() throws Exception {
    receive(4);
    assertThat(demands)
        .containsExactly(3_000L + UNIT, 2_000L + 2 * UNIT, 1_000L + 3 * UNIT, 4L * UNIT);
  }

  /** One that hangs while the next attempt's output comes must not take its file. */
  @Test
  void twoAttemptsOfAMapThatComeAtOnceHaveFilesOfTheirOwn() throws Exception {
    with(
        1,
        buffer -> {
          ReceiveStore store = buffer.store();
          byte[] bytes = {1, 2, 3};
          org.apache.hadoop.fs.Path outdated = store.newFile("attempt_7_0001_m_000003_0", 3);
          OutputStream hangs = store.create(outdated);
          org.apache.hadoop.fs.Path path = store.newFile("attempt_7_0001_m_000003_1", 3);
          try (OutputStream out = store.create(path)) {
            out.write(bytes);
          }
          hangs.write(new byte[2]);
          hangs.close();
          store.delete(outdated);
          try (InputStream in = store.open(path, bytes.length)) {
            assertThat(in.readAllBytes()).isEqualTo(bytes);
          }
        });
  }

  @Test
  void aReduceOfManyMapsSaysSoSeldom() throws Exception {
    receive(1_000);
    assertThat(demands).hasSizeBetween(16, 18);
    assertThat(demands.get(demands.size() - 1)).isEqualTo(1_000L * UNIT);
  }
}
