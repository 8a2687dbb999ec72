// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MROutputFiles;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.Task.TaskReporter;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.util.Progress;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.ReduceSplit;
import org.mammoth.engine.io.IoScheduler;
import org.mammoth.engine.io.IoSettings;
import org.mammoth.engine.memory.CacheScheduler;
import org.mammoth.engine.memory.LeakCheckingPool;
import org.mammoth.engine.memory.LeaseOwner;
import org.mammoth.engine.memory.Ledger;
import org.mammoth.engine.memory.MapMemory;
import org.mammoth.engine.memory.SchedulerSettings;
import org.mammoth.engine.sort.elements.ElementSource;
import org.mammoth.mapreduce.buffers.AttemptFiles;

/** One map attempt on a node with a real disk and a small pool that finds leaks. */
final class SortFixture implements AutoCloseable {

  static final int UNIT = 4096;
  static final TaskAttemptID ATTEMPT = TaskAttemptID.forName("attempt_1_0001_m_000000_0");

  final JobConf job = new JobConf(false);
  final Path dir;
  final LeakCheckingPool pool;
  final Ledger ledger;
  final MapMemory memory;
  final IoScheduler io;
  final AttemptFiles attempt;
  final FileSystem files;
  final MapOutputFile names = new MROutputFiles();
  final TaskReporter reporter = new MapTask().new TaskReporter(new Progress(), null);

  SortFixture(Path dir, int units) throws IOException {
    this.dir = dir;
    job.setStrings("io.serializations", "org.apache.hadoop.io.serializer.WritableSerialization");
    job.set("mapreduce.cluster.local.dir", dir.toString());
    names.setConf(job);
    pool = new LeakCheckingPool(BufferType.ARRAY, UNIT, units);
    ledger = new Ledger((long) UNIT * units);
    CacheScheduler scheduler =
        new CacheScheduler(
            pool,
            ledger,
            new SchedulerSettings(0.9, 0.75, 1, ReduceSplit.EVEN, 64),
            System::nanoTime);
    memory = scheduler.registerMap(new LeaseOwner("ann", "job_1_0001", ATTEMPT.toString()), 1);
    io =
        IoScheduler.builder(IoSettings.of(job, UNIT), List.of(dir))
            .threads(work -> new Thread(work, "disk"))
            .build();
    attempt = new AttemptFiles(io, ATTEMPT.toString());
    files = FileSystem.getLocal(job).getRaw();
  }

  SpillRuns runs() throws IOException {
    return new SpillRuns(
        job,
        files,
        names,
        new SegmentFormat(job),
        memory.sort(),
        attempt,
        reporter.getCounter(TaskCounter.SPILLED_RECORDS));
  }

  long count(TaskCounter counter) {
    return reporter.getCounter(counter).getValue();
  }

  /** Files below the local directory. */
  List<String> filesLeft() throws IOException {
    try (Stream<Path> all = Files.walk(dir)) {
      return all.filter(Files::isRegularFile).map(file -> file.getFileName().toString()).toList();
    }
  }

  long usedUnits() {
    return ledger.used() / UNIT;
  }

  /** Ends the attempt well; nothing may be held that it did not publish. */
  @Override
  public void close() {
    io.close();
    assertThat(usedUnits()).isZero();
    memory.close();
    pool.close();
  }

  /** Slabs on the heap, as many as given. */
  static ElementSource slabs(int count, int bytes) {
    return new ElementSource() {
      private int lent;

      @Override
      public byte[] poll() {
        if (lent == count) {
          return null;
        }
        lent++;
        return new byte[bytes];
      }

      @Override
      public byte[] take() {
        byte[] slab = poll();
        assertThat(slab).as("it would wait for ever").isNotNull();
        return slab;
      }

      @Override
      public void give(byte[] slab) {
        lent--;
      }
    };
  }
}
