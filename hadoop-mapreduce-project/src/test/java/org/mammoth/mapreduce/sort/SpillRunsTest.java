// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.sort.MapSorter;
import org.mammoth.engine.sort.RecordBuffer;
import org.mammoth.engine.sort.RunStore;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.SegmentCursor;

/** Runs in memory and in files, and maps that make many of them. */
class SpillRunsTest {

  private static final int PARTITIONS = 3;
  private static final int SLAB = 1024;

  @TempDir private Path dir;

  private static MapSorter sorter(SortFixture f, SpillRuns runs) {
    return new MapSorter(
        KeyOrders.of(new IntWritable.Comparator()),
        PARTITIONS,
        SortFixture.slabs(3, SLAB),
        SLAB,
        runs,
        null,
        3,
        f.reporter);
  }

  private static void collect(RecordBuffer buffer, int key, int size) throws IOException {
    buffer.begin();
    buffer.writeInt(key);
    buffer.endKey();
    buffer.write(new byte[size]);
    buffer.end(key % PARTITIONS);
  }

  private static MapOutputWriter output(SortFixture f) throws IOException {
    return new MapOutputWriter(
        f.job,
        f.files,
        new SegmentFormat(f.job),
        f.names.getOutputFileForWrite(1),
        PARTITIONS,
        f.attempt,
        IoClass.ACTIVE,
        null);
  }

  private static Map<Integer, Integer> readBack(SortFixture f, MapOutputWriter output)
      throws IOException {
    Map<Integer, Integer> records = new TreeMap<>();
    SegmentFormat format = new SegmentFormat(f.job);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      long length = output.index().partLength(partition);
      try (SegmentCursor cursor =
          new SegmentCursor(
              KeyOrders.of(new IntWritable.Comparator()),
              format.decode(
                  f.attempt.open(
                      output.path().toUri().getPath(),
                      output.index().start(partition),
                      length,
                      IoClass.ACTIVE,
                      null),
                  length),
              "output",
              64,
              output.index().rawLength(partition))) {
        int last = -1;
        while (cursor.next()) {
          int key = java.nio.ByteBuffer.wrap(cursor.bytes(), cursor.keyAt(), 4).getInt();
          assertThat(key).isGreaterThanOrEqualTo(last);
          last = key;
          records.merge(key, 1 + cursor.valueLength(), Integer::sum);
        }
      }
    }
    return records;
  }

  /** From no unit for the sort buffer at all to enough for each run. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 60})
  void manyRunsInMemoryAndInFilesMakeOneOutput(int units) throws Exception {
    try (SortFixture f = new SortFixture(dir, 64)) {
      if (units == 7) {
        f.job.setCompressMapOutput(true);
      }
      List<CacheUnit> others = new ArrayList<>();
      while (others.size() < 64 - units) {
        others.add(f.memory.sort().poll());
      }
      SpillRuns runs = f.runs();
      Map<Integer, Integer> expected = new TreeMap<>();
      Random random = new Random(units);
      try (MapSorter sorter = sorter(f, runs);
          MapOutputWriter output = output(f)) {
        for (int i = 0; i < 2_000; i++) {
          int key = random.nextInt(500);
          int size = random.nextInt(random.nextInt(40) == 0 ? 4_000 : 60);
          collect(sorter.buffer(), key, size);
          expected.merge(key, 1 + size, Integer::sum);
        }
        sorter.finish(output);
        output.finish();
        assertThat(sorter.runs()).isGreaterThan(20);
        assertThat(runs.spills())
            .isBetween(units == 60 ? 0 : 1, sorter.runs() + sorter.largeRecords());
        assertThat(readBack(f, output)).isEqualTo(expected);
        assertThat(f.count(TaskCounter.SPILLED_RECORDS) > 0).isEqualTo(runs.spills() > 0);
      }
      assertThat(f.filesLeft()).as("spill files are gone").containsExactly("file.out");
      others.forEach(f.memory.sort()::give);
    }
  }

  /** Local disks may have room for what a codec has made of the records, and for no more. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theOutputAsksForTheRoomThatItsRunsTake(boolean compress) throws Exception {
    try (SortFixture f = new SortFixture(dir, 1)) {
      f.job.setCompressMapOutput(compress);
      CacheUnit only = f.memory.sort().poll();
      SpillRuns runs = f.runs();
      try (MapSorter sorter = sorter(f, runs)) {
        long collected = 0;
        for (int i = 0; i < 400; i++) {
          int size = i % 100 == 0 ? 20_000 : 200;
          collect(sorter.buffer(), i, size);
          collected += Integer.BYTES + size;
        }
        long files = 0;
        for (String file : f.filesLeft()) {
          files += Files.size(dir.resolve("output").resolve(file));
        }
        assertThat(files).isPositive();
        assertThat(sorter.bytesInMemory()).isBetween((long) SLAB, 3L * SLAB);
        long size = runs.outputSize(collected, sorter.bytesInMemory(), PARTITIONS);
        long left = files + sorter.bytesInMemory();
        assertThat(size - 150 * PARTITIONS).isEqualTo(Math.min(left, collected));
        assertThat(size < collected / 2).isEqualTo(compress);
      }
      f.memory.sort().give(only);
    }
  }

  @Test
  void aRunThatIsGivenUpHoldsNothing() throws Exception {
    try (SortFixture f = new SortFixture(dir, 8)) {
      RunStore.Writer inMemory = f.runs().create(PARTITIONS);
      OutputStream stream = inMemory.begin(0);
      stream.write(new byte[3 * SortFixture.UNIT]);
      stream.write(1);
      assertThat(f.usedUnits()).isEqualTo(4);
      inMemory.close();
      assertThat(f.usedUnits()).isZero();
      RunStore.Writer inFile = f.runs().create(PARTITIONS);
      inFile.begin(0).write(new byte[20 * SortFixture.UNIT]);
      assertThat(f.usedUnits()).isZero();
      inFile.close();
      f.attempt.abortAll();
      awaitNoFiles(f);
    }
  }

  private static void awaitNoFiles(SortFixture f) throws Exception {
    org.awaitility.Awaitility.await()
        .atMost(java.time.Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(f.filesLeft()).isEmpty());
  }

  /** The directory of the spill files is no directory any more. */
  @Test
  void aSpillThatCannotBeWrittenFailsTheMapAndLeavesNothing() throws Exception {
    try (SortFixture f = new SortFixture(dir, 1)) {
      CacheUnit only = f.memory.sort().poll();
      Path output = dir.resolve("output");
      Files.createDirectory(output);
      try (MapSorter sorter = sorter(f, f.runs())) {
        collect(sorter.buffer(), 1, 100);
        Files.delete(output);
        Files.writeString(output, "in the way");
        assertThatThrownBy(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    collect(sorter.buffer(), i, 100);
                  }
                })
            .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> collect(sorter.buffer(), 1, 1)).isInstanceOf(IOException.class);
      }
      assertThat(f.filesLeft()).containsExactly("output");
      f.memory.sort().give(only);
    }
  }

  @Test
  void aMapThatIsKilledWhileItSpillsLeavesNoFile() throws Exception {
    try (SortFixture f = new SortFixture(dir, 1)) {
      CacheUnit only = f.memory.sort().poll();
      try (MapSorter sorter = sorter(f, f.runs())) {
        for (int i = 0; i < 200; i++) {
          collect(sorter.buffer(), i, 100);
        }
        assertThat(sorter.runs()).isGreaterThan(3);
        assertThat(f.filesLeft()).isNotEmpty();
        f.io.close();
        assertThatThrownBy(
                () -> {
                  for (int i = 0; i < 200; i++) {
                    collect(sorter.buffer(), i, 100);
                  }
                })
            .isInstanceOf(IOException.class)
            .hasMessageContaining("closed");
      }
      awaitNoFiles(f);
      f.memory.sort().give(only);
    }
  }
}
