// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskCompletionEvent.Status;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.io.BlockSums;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.mapreduce.MammothShuffleCounter;

/** A whole reduce whose maps ran on another node, in each way of merging. */
class MammothShuffleTest {

  private static final Duration AT_LAST = Duration.ofMinutes(2);
  private static final int RECORDS = 2_000;
  private static final int MAPS = 4;
  private static final int PLENTY = 512;
  private static final int ALL = Integer.MAX_VALUE;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path temp;
  private final JobConf job = new JobConf();
  private final List<MapOutput> written = new ArrayList<>();
  private TestNode node;
  private WholeReduce reduce;

  @BeforeEach
  void start() throws Exception {
    node = new TestNode(temp.resolve("node"), job, true);
    node.startEngine();
    job.setNumMapTasks(MAPS);
    // else so little is levitated, as its order on stock is known: see OrderOfModesTest
    job.setBoolean("mammoth.sort.stock-order", false);
    job.setInt("mammoth.shuffle.levitated.block-bytes", 4096);
  }

  @AfterEach
  void end() throws Exception {
    if (reduce != null) {
      reduce.close();
    }
    node.close();
  }

  private void reduce(String mode, int units) throws Exception {
    job.set("mammoth.shuffle.merge", mode);
    reduce = new WholeReduce(temp.resolve("reduce"), job, units);
  }

  private static String attempt(int map, int number) {
    return String.format("attempt_7_0001_m_%06d_%d", map, number);
  }

  private MapOutput map(int map, int number) throws Exception {
    MapOutput output = node.finish(attempt(map, number), RECORDS, 10 * map + number);
    written.add(output);
    reduce.tell(output.attempt(), Status.SUCCEEDED, node);
    return output;
  }

  private List<String> expected() throws Exception {
    List<String> all = new ArrayList<>();
    for (MapOutput output : written) {
      FileSystem files = FileSystem.getLocal(job).getRaw();
      try (FSDataInputStream in = files.open(new org.apache.hadoop.fs.Path(output.file()))) {
        in.seek(output.index().start(TestReduce.PARTITION));
        IFile.Reader<Object, Object> reader =
            new IFile.Reader<>(
                job, in, output.index().partLength(TestReduce.PARTITION), null, null);
        var key = new org.apache.hadoop.io.DataInputBuffer();
        var value = new org.apache.hadoop.io.DataInputBuffer();
        while (reader.nextRawKey(key)) {
          reader.nextRawValue(value);
          byte[] bytes = new byte[key.getLength() - key.getPosition()];
          new DataInputStream(key).readFully(bytes);
          all.add(
              new String(bytes, 4, bytes.length - 4)
                  + " "
                  + (value.getLength() - value.getPosition()));
        }
      }
    }
    return all;
  }

  /** Each as often as it was written. Sorted: AssertJ would look for each among all others. */
  private void assertAll(List<String> records) throws Exception {
    assertThat(records.stream().sorted().toList()).isEqualTo(expected().stream().sorted().toList());
  }

  private void assertWhole(List<String> records) throws Exception {
    assertAll(records);
    reduce.end();
    assertCountedOnce();
    assertThat(reduce.count(MammothShuffleCounter.REFETCHED_BYTES)).isZero();
    assertThat(reduce.reported).isEmpty();
  }

  private void assertCountedOnce() throws Exception {
    long bytes = 0;
    for (MapOutput output : written) {
      bytes += output.part(TestReduce.PARTITION).partLength();
    }
    assertThat(reduce.shuffledMaps.getValue()).isEqualTo(job.getNumMapTasks());
    assertThat(reduce.shuffledBytes.getValue()).isEqualTo(bytes);
    assertThat(reduce.count(MammothShuffleCounter.NETWORK_BYTES)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"push", "spill", "levitated", "auto"})
  void everyModeGivesTheSameRecords(String mode) throws Exception {
    reduce(mode, PLENTY);
    reduce.takeUnitsBut(60);
    for (int map = 0; map < MAPS; map++) {
      map(map, 0);
    }
    RawKeyValueIterator merge = reduce.begin();
    assertThat(reduce.way())
        .as("what it says in the engine's snapshot")
        .matches(mode.equals("auto") ? "auto: (push, some )?levitated" : mode);
    assertWhole(reduce.records(merge, ALL));
    long spilled = reduce.count(MammothShuffleCounter.REDUCE_SPILLED_BYTES);
    long segments = reduce.count(MammothShuffleCounter.LEVITATED_SEGMENTS);
    if (mode.equals("push") || mode.equals("spill")) {
      assertThat(spilled).as("bytes for which there is no memory").isPositive();
      assertThat(segments).isZero();
    } else {
      assertThat(spilled).isZero();
      assertThat(segments).isBetween(1L, (long) MAPS);
    }
    if (mode.equals("auto")) {
      assertThat(segments).as("some find memory").isLessThan(MAPS);
    }
    if (mode.equals("levitated")) {
      assertThat(segments).isEqualTo(MAPS);
      assertThat(reduce.count(MammothShuffleCounter.LEVITATED_BYTES))
          .isEqualTo(reduce.shuffledBytes.getValue());
    }
  }

  /** The other tests read as those of the old one do. */
  @ParameterizedTest
  @ValueSource(strings = {"push", "spill", "levitated", "auto", "virtual"})
  void readersOfTheNewInterfaceAreToldWhereRecordsEnd(String mode) throws Exception {
    job.setUseNewReducer(true);
    reduce(mode, PLENTY);
    for (int map = 0; map < MAPS; map++) {
      map(map, 0);
    }
    assertWhole(reduce.records(reduce.begin(), ALL));
  }

  @Test
  void whatIsMergedByTurnsIsCounted() throws Exception {
    reduce("virtual", PLENTY);
    for (int map = 0; map < MAPS; map++) {
      map(map, 0);
    }
    RawKeyValueIterator merge = reduce.begin();
    assertThat(reduce.way()).isEqualTo("virtual");
    long most = 2 * reduce.shuffledBytes.getValue() + MAPS * 1_024 + 8 * TestReduce.UNIT;
    assertThat((long) reduce.unitsInUse() * TestReduce.UNIT)
        .as("bytes of memory for so little")
        .isBetween(1L, most);
    assertWhole(reduce.records(merge, ALL));
    assertThat(reduce.count(MammothShuffleCounter.VIRTUAL_SEGMENTS)).isEqualTo(MAPS);
  }

  /** Others on the node would have to do without what it does not use. */
  @Test
  void itWantsNoMoreMemoryThanTurnsTake() throws Exception {
    int maps = 40;
    long most = 1 << 16;
    job.setNumMapTasks(maps);
    job.setLong("mammoth.shuffle.virtual.buffer-bytes", most);
    reduce("virtual", PLENTY);
    for (int map = 0; map < maps; map++) {
      MapOutput output = node.write(attempt(map, 0), RECORDS, map);
      written.add(output);
      reduce.tell(output.attempt(), Status.SUCCEEDED, node);
    }
    RawKeyValueIterator merge = reduce.begin();
    assertThat(reduce.desired()).isBetween(1L, most);
    assertAll(reduce.records(merge, ALL));
  }

  @Test
  void withoutMemoryForTurnsSegmentsHaveBlocksAndTheReduceSaysSo() throws Exception {
    reduce("virtual", PLENTY);
    reduce.takeUnitsBut(2);
    for (int map = 0; map < MAPS; map++) {
      map(map, 0);
    }
    RawKeyValueIterator merge = reduce.begin();
    assertThat(reduce.way()).isEqualTo("virtual: levitated");
    assertThat(reduce.unitsInUse()).as("of the two that there are").isEqualTo(2);
    assertWhole(reduce.records(merge, ALL));
    assertThat(reduce.count(MammothShuffleCounter.VIRTUAL_SEGMENTS)).isZero();
    assertThat(reduce.count(MammothShuffleCounter.LEVITATED_SEGMENTS)).isEqualTo(MAPS);
  }

  @Test
  void anApplicationMasterThatDoesNotAnswerIsAskedAgain() throws Exception {
    reduce("push", PLENTY);
    for (int map = 0; map < MAPS; map++) {
      map(map, 0);
    }
    reduce.failing.set(1);
    assertWhole(reduce.records(reduce.begin(), ALL));
    assertThat(reduce.failing).hasValue(0);
  }

  @Test
  void aMapThatRunsAgainBeforeTheLastOneEndsIsTakenFromItsNextAttempt() throws Exception {
    reduce("levitated", PLENTY);
    for (int map = 0; map < MAPS - 1; map++) {
      map(map, 0);
    }
    Thread later =
        TestNode.thread(
            () -> {
              try {
                Thread.sleep(1_500);
                reduce.tell(attempt(1, 0), Status.FAILED, node);
                written.remove(1);
                map(1, 1);
                Thread.sleep(1_500);
                map(MAPS - 1, 0);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    later.start();
    RawKeyValueIterator merge = reduce.begin();
    later.join();
    assertWhole(reduce.records(merge, ALL));
  }

  @Test
  void aReduceThatEndsInTheMiddleOfItsMergeLeavesNothingBehind() throws Exception {
    reduce("levitated", PLENTY);
    for (int map = 0; map < MAPS; map++) {
      map(map, 0);
    }
    assertThat(reduce.records(reduce.begin(), RECORDS / 2)).hasSize(RECORDS / 2);
  }

  @Test
  void goesOnWhenTheEngineIsReplacedInTheMiddle() throws Exception {
    reduce("levitated", PLENTY);
    for (int map = 0; map < MAPS; map++) {
      map(map, 0);
    }
    RawKeyValueIterator merge = reduce.begin();
    List<String> records = new ArrayList<>(reduce.records(merge, RECORDS / 2));
    node.killEngine();
    node.startEngine();
    records.addAll(reduce.records(merge, ALL));
    assertWhole(records);
    assertThat(reduce.count(MammothShuffleCounter.REDUCE_SPILLED_BYTES)).isZero();
  }

  /** The nodes' engines come back, but not the output of one map. */
  @ParameterizedTest
  @ValueSource(strings = {"levitated", "virtual", "node"})
  void aSourceThatIsLostBeforeTheFirstRecordIsFetchedAnewFromItsRerun(String mode)
      throws Exception {
    reduce(mode, PLENTY);
    if (mode.equals("levitated")) {
      // no header finds memory, so that nothing is here when the merge begins
      reduce.takeUnitsBut(0);
    }
    for (int map = 0; map < MAPS; map++) {
      map(map, 0);
    }
    String lost = attempt(1, 0);
    CountDownLatch allThere = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    reduce.whenItHas(
        MAPS,
        () -> {
          allThere.countDown();
          await(gone);
        });
    Thread later =
        TestNode.thread(
            () -> {
              await(allThere);
              loseAt(node, written.get(1));
              gone.countDown();
              Awaitility.await().atMost(AT_LAST).until(() -> reduce.reported.size() >= 3);
              reduce.tell(lost, Status.FAILED, node);
              written.remove(1);
              try {
                map(1, 1);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    later.start();
    List<String> records = reduce.records(reduce.begin(), ALL);
    later.join();
    assertAll(records);
    reduce.end();
    assertCountedOnce();
    assertThat(reduce.count(MammothShuffleCounter.LEVITATED_SEGMENTS)).isEqualTo(MAPS);
    assertThat(reduce.reported).contains(lost).containsOnly(lost);
  }

  /**
   * Upstream ends a reduce that fails to fetch five outputs and has not more of others; it knows of
   * none that stays at its source.
   */
  @ParameterizedTest
  @ValueSource(strings = {"push", "levitated", "virtual", "node"})
  void damagedOutputsAreWaitedForUntilTheirMapsRunAgain(String mode) throws Exception {
    int maps = 40;
    job.setLong("mapreduce.reduce.shuffle.retry-delay.max.ms", 200);
    job.setNumMapTasks(maps);
    reduce(mode, PLENTY);
    List<String> damaged = new ArrayList<>();
    for (int map = 0; map < maps; map++) {
      MapOutput output = node.write(attempt(map, 0), RECORDS, map);
      if (map % 8 == 3) {
        harm(output);
        damaged.add(output.attempt());
      } else {
        written.add(output);
      }
      reduce.tell(output.attempt(), Status.SUCCEEDED, node);
    }
    Thread later =
        TestNode.thread(
            () -> {
              // As an ApplicationMaster does, whichever comes first.
              Set<String> left = new HashSet<>(damaged);
              while (!left.isEmpty()) {
                Predicate<String> isLost = each -> Collections.frequency(reduce.reported, each) > 2;
                Awaitility.await().atMost(PATIENCE).until(() -> left.stream().anyMatch(isLost));
                String lost = left.stream().filter(isLost).findFirst().orElseThrow();
                left.remove(lost);
                reduce.tell(lost, Status.FAILED, node);
                runAgain(TaskAttemptID.forName(lost).getTaskID().getId());
              }
            });
    later.start();
    List<String> records = reduce.records(reduce.begin(), ALL);
    later.join();
    assertThat(records.stream().sorted().toList()).isEqualTo(expected().stream().sorted().toList());
    reduce.end();
    assertCountedOnce();
    assertThat(reduce.reported).containsOnlyElementsOf(damaged);
  }

  /** Its block was good when its map wrote it, and nobody has looked at it since. */
  @ParameterizedTest
  @ValueSource(strings = {"push", "levitated"})
  void aDamagedOutputOfTheOwnNodeHasItsMapRunAgain(String mode) throws Exception {
    reduce(mode, PLENTY);
    for (int map = 1; map < MAPS; map++) {
      map(map, 0);
    }
    MapOutput good = node.write(attempt(0, 0), RECORDS, 0);
    byte[] bytes = Files.readAllBytes(Path.of(good.file()));
    MapOutput own =
        new MapOutput(TestNode.JOB, good.attempt(), good.file(), good.index(), null, sums(bytes));
    reduce.sendBuffer().publish(own);
    harm(own);
    reduce.tell(own.attempt(), Status.SUCCEEDED, node);
    assertThatThrownBy(() -> reduce.records(reduce.begin(), ALL))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the disk has damaged them");
    assertThat(reduce.reported).containsOnly(own.attempt()).hasSize(3);
  }

  private static BlockSums sums(byte[] bytes) {
    int blocks = (bytes.length + BlockSums.BLOCK_BYTES - 1) / BlockSums.BLOCK_BYTES;
    int[] sums = new int[blocks];
    for (int i = 0; i < blocks; i++) {
      CRC32 crc = new CRC32();
      int from = i * BlockSums.BLOCK_BYTES;
      crc.update(bytes, from, Math.min(BlockSums.BLOCK_BYTES, bytes.length - from));
      sums[i] = (int) crc.getValue();
    }
    return BlockSums.of(sums, bytes.length);
  }

  /** Stock's reduce has all its input before it merges, and reports as it comes. */
  @ParameterizedTest
  @ValueSource(strings = {"levitated", "virtual"})
  void aReduceThatWaitsInItsMergeIsAlive(String mode) throws Exception {
    reduce(mode, PLENTY);
    reduce.takeUnitsBut(mode.equals("virtual") ? 40 : 0);
    for (int map = 0; map < MAPS; map++) {
      MapOutput output = node.write(attempt(map, 0), 10 * RECORDS, map);
      reduce.tell(output.attempt(), Status.SUCCEEDED, node);
    }
    RawKeyValueIterator merge = reduce.begin();
    node.hang();
    Thread reading =
        TestNode.thread(
            () -> {
              try {
                reduce.records(merge, ALL);
              } catch (Exception e) {
                // the test has ended
              }
            });
    reading.start();
    int before = reduce.alive.get();
    Awaitility.await().until(() -> reduce.alive.get() > before + 3);
  }

  private void runAgain(int map) {
    try {
      MapOutput output = node.write(attempt(map, 1), RECORDS, map);
      written.add(output);
      reduce.tell(output.attempt(), Status.SUCCEEDED, node);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void harm(MapOutput output) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(output.file(), "rw")) {
      file.seek(output.index().start(TestReduce.PARTITION) + 100);
      int was = file.read();
      file.seek(file.getFilePointer() - 1);
      file.write(was ^ 16);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void loseAt(TestNode node, MapOutput output) {
    try {
      node.killEngine();
      Files.delete(Path.of(output.file()));
      node.startEngine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSourceThatIsLostInTheMiddleEndsTheAttemptAndHasItsMapRunAgain(boolean compressed)
      throws Exception {
    job.setCompressMapOutput(compressed);
    reduce("levitated", PLENTY);
    for (int map = 0; map < MAPS; map++) {
      // so many that some stay at their source however well they are compressed
      MapOutput output = node.write(attempt(map, 0), 10 * RECORDS, map);
      written.add(output);
      reduce.tell(output.attempt(), Status.SUCCEEDED, node);
    }
    RawKeyValueIterator merge = reduce.begin();
    reduce.records(merge, 10);
    node.killEngine();
    node.forgetEngine();
    for (MapOutput output : written) {
      Files.delete(Path.of(output.file()));
    }
    assertThatThrownBy(() -> reduce.records(merge, ALL)).hasMessageContaining("is lost");
    assertThat(reduce.reported).hasSize(3).containsOnly(reduce.reported.get(0));
    assertThat(reduce.reported.get(0)).startsWith("attempt_7_0001_m_");
  }
}
