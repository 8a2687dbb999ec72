// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mammoth.engine.config.MergeMode;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.sort.merge.SegmentInput;

/** Two nodes on loopback: the one's reduce merges what stays at the other. */
class LevitationTest {

  private static final int RECORDS = 2_000;
  private static final int BLOCK = 1 << 10;
  private static final int PLENTY = 256;
  private static final int PATIENT_MS = 30_000;
  private static final long BUSY_MS = 10_000;

  @TempDir private Path temp;
  private final JobConf job = new JobConf();
  private TestNode node;
  private TestReduce reduce;
  private final List<MapOutput> written = new ArrayList<>();

  @BeforeEach
  void begin() throws Exception {
    node = new TestNode(temp.resolve("node"), job, true);
    node.startEngine();
  }

  @AfterEach
  void end() throws Exception {
    if (reduce != null) {
      reduce.close();
    }
    node.close();
  }

  private void reduceWith(int units, MergeMode mode) throws Exception {
    reduce = new TestReduce(temp.resolve("reduce"), job, units, PATIENT_MS, mode, BLOCK);
  }

  private static String attempt(int map) {
    return String.format("attempt_7_0001_m_%06d_0", map);
  }

  private void maps(int count, int records) throws Exception {
    for (int map = 0; map < count; map++) {
      MapOutput output =
          map % 2 == 0
              ? node.write(attempt(map), records, map)
              : node.finish(attempt(map), records, map);
      written.add(output);
      reduce.succeeded(output.attempt(), node);
    }
  }

  private void headersOf(int count) throws Exception {
    reduce.await(() -> reduce.levitated.size() == count);
    assertThat(reduce.stock).isEmpty();
    assertThat(reduce.arrived).isEmpty();
  }

  /** Reads all of them in turn, a little of each, as a merge does. */
  private void allAreRight() throws Exception {
    reduce.follow();
    Map<String, SegmentInput> inputs = reduce.openAll();
    for (MapOutput output : written) {
      byte[] expected = reduce.expected(output);
      assertThat(TestReduce.readAll(inputs.get(output.attempt()))).isEqualTo(expected);
    }
    assertThat(reduce.spilled.sum()).isZero();
    assertThat(reduce.levitation.refetchedBytes()).isZero();
    assertThat(reduce.levitation.broken()).isEmpty();
  }

  @Test
  void segmentsStayWhereTheyAreUntilTheyAreMerged() throws Exception {
    reduceWith(PLENTY, MergeMode.LEVITATED);
    maps(6, RECORDS);
    headersOf(6);
    assertThat(reduce.usedUnits()).as("a block of each").isEqualTo(2);
    allAreRight();
  }

  @Test
  void aSegmentOfLessThanABlockIsWholeInItsHeader() throws Exception {
    reduceWith(PLENTY, MergeMode.LEVITATED);
    maps(20, 3);
    headersOf(20);
    assertThat(reduce.usedUnits()).as("packed into one unit").isEqualTo(1);
    node.killEngine();
    allAreRight();
  }

  @Test
  void withoutMemoryBytesGoStraightToTheMerge() throws Exception {
    reduceWith(4, MergeMode.LEVITATED);
    reduce.takeAllUnits();
    maps(3, RECORDS);
    headersOf(3);
    allAreRight();
  }

  @Test
  void compressedSegments() throws Exception {
    job.setCompressMapOutput(true);
    reduceWith(PLENTY, MergeMode.LEVITATED);
    maps(4, 5 * RECORDS);
    headersOf(4);
    allAreRight();
  }

  private void encrypted(PrivilegedExceptionAction<Void> test) throws Exception {
    job.setBoolean(MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA, true);
    Credentials credentials = new Credentials();
    TokenCache.setEncryptedSpillKey(new byte[16], credentials);
    UserGroupInformation user = UserGroupInformation.createRemoteUser("ann");
    user.addCredentials(credentials);
    user.doAs(test);
  }

  @Test
  void encryptedSegments() throws Exception {
    encrypted(
        () -> {
          reduceWith(PLENTY, MergeMode.LEVITATED);
          for (int map = 0; map < 4; map++) {
            MapOutput output = node.finishSummed(attempt(map), RECORDS, map);
            written.add(output);
            reduce.succeeded(output.attempt(), node);
          }
          headersOf(4);
          allAreRight();
          return null;
        });
  }

  @Test
  void autoLevitatesOnlyWhatFindsNoMemory() throws Exception {
    reduceWith(40, MergeMode.AUTO);
    maps(4, RECORDS);
    reduce.await(() -> reduce.levitated.size() + reduce.arrived.size() == 4);
    assertThat(reduce.arrived).isNotEmpty();
    assertThat(reduce.levitated).isNotEmpty();
    reduce.follow();
    Map<String, SegmentInput> inputs = reduce.openAll();
    for (MapOutput output : written) {
      SegmentInput input = inputs.get(output.attempt());
      byte[] bytes = input == null ? reduce.records(output.attempt()) : TestReduce.readAll(input);
      assertThat(bytes).isEqualTo(reduce.expected(output));
    }
    assertThat(reduce.spilled.sum()).isZero();
  }

  @Test
  void autoLevitatesAllThatIsToComeIfThatWillNotFit() throws Exception {
    job.setNumMapTasks(30);
    reduceWith(40, MergeMode.AUTO);
    reduce.outputs.sized(2L * reduce.units().unitBytes());
    maps(4, RECORDS);
    headersOf(4);
    allAreRight();
  }

  @Test
  void goesOnAtTheEngineThatFollows() throws Exception {
    reduceWith(PLENTY, MergeMode.LEVITATED);
    maps(4, RECORDS);
    headersOf(4);
    node.killEngine();
    node.startEngine();
    allAreRight();
  }

  @Test
  void anOutputThatIsObsoleteMakesRoomForTheNextAttempts() throws Exception {
    reduceWith(PLENTY, MergeMode.LEVITATED);
    maps(2, RECORDS);
    headersOf(2);
    reduce.lost(attempt(1));
    assertThat(reduce.levitated).containsOnlyKeys(attempt(0));
    String again = "attempt_7_0001_m_000001_1";
    written.set(1, node.write(again, RECORDS, 77));
    reduce.succeeded(again, node);
    headersOf(2);
    assertThat(reduce.levitated).containsOnlyKeys(attempt(0), again);
    allAreRight();
  }

  @Test
  void goesOnInTheStockWayWhereNoEngineFollows() throws Exception {
    reduceWith(PLENTY, MergeMode.LEVITATED);
    maps(3, RECORDS);
    headersOf(3);
    reduce.follow();
    Map<String, SegmentInput> inputs = reduce.openAll();
    byte[] first = new byte[5 * BLOCK];
    int read = inputs.get(attempt(0)).read(first, 0, first.length);
    node.killEngine();
    node.forgetEngine();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(first, 0, read);
    all.writeBytes(TestReduce.readAll(inputs.get(attempt(0))));
    assertThat(all.toByteArray()).isEqualTo(reduce.expected(written.get(0)));
    assertThat(reduce.spilled.sum()).isPositive();
    for (MapOutput output : written.subList(1, 3)) {
      assertThat(TestReduce.readAll(inputs.get(output.attempt())))
          .isEqualTo(reduce.expected(output));
    }
    assertThat(reduce.levitation.broken()).isEmpty();
  }

  /** More refusals than a node that fails is allowed, and nothing comes in another way. */
  @Test
  void aNodeThatIsBusyForAWhileIsAskedAgain() throws Exception {
    reduceWith(PLENTY, MergeMode.LEVITATED);
    maps(4, RECORDS);
    headersOf(4);
    reduce.busyAnswers.set(4 * 12);
    allAreRight();
    assertThat(reduce.busyAnswers).hasValue(0);
  }

  @Test
  void aNodeThatStaysBusyIsLeftToTheStockShuffle() throws Exception {
    reduce = new TestReduce(temp.resolve("reduce"), job, PLENTY, patience(300), BLOCK);
    maps(2, RECORDS);
    headersOf(2);
    reduce.busyAnswers.set(Integer.MAX_VALUE);
    reduce.follow();
    Map<String, SegmentInput> inputs = reduce.openAll();
    for (MapOutput output : written) {
      assertThat(TestReduce.readAll(inputs.get(output.attempt())))
          .isEqualTo(reduce.expected(output));
    }
    assertThat(reduce.spilled.sum()).isPositive();
  }

  private static Configuration patience(int millis) {
    Configuration conf = TestNode.conf();
    conf.setInt("mammoth.shuffle.busy.patience-ms", millis);
    return conf;
  }

  /**
   * Beyond mapreduce.shuffle.max.connections upstream's shuffle tells its clients to come again.
   */
  @Test
  void aStockShuffleWithTooManyClientsIsAskedAgain() throws Exception {
    node.close();
    Configuration conf = TestNode.conf();
    conf.setInt("mapreduce.shuffle.max.connections", 1);
    node = new TestNode(temp.resolve("limited"), job, true, conf);
    node.startEngine();
    reduceWith(PLENTY, MergeMode.LEVITATED);
    maps(2, RECORDS);
    headersOf(2);
    reduce.follow();
    Map<String, SegmentInput> inputs = reduce.openAll();
    try (Socket another = new Socket("127.0.0.1", node.service.port())) {
      assertThat(another.isConnected()).isTrue();
      node.killEngine();
      node.forgetEngine();
      Thread leaves =
          new Thread(
              () -> {
                try {
                  // After more refusals than a node that fails is allowed.
                  Thread.sleep(BUSY_MS);
                  another.close();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      leaves.start();
      for (MapOutput output : written) {
        assertThat(TestReduce.readAll(inputs.get(output.attempt())))
            .isEqualTo(reduce.expected(output));
      }
      leaves.join();
    }
    assertThat(reduce.levitation.broken()).isEmpty();
  }

  @Test
  void aSourceThatIsLostInTheMiddleIsNamed() throws Exception {
    reduceWith(PLENTY, MergeMode.LEVITATED);
    maps(2, RECORDS);
    headersOf(2);
    node.killEngine();
    node.forgetEngine();
    for (MapOutput output : written) {
      Files.delete(Path.of(output.file()));
    }
    reduce.follow();
    Map<String, SegmentInput> inputs = reduce.openAll();
    assertThatThrownBy(() -> TestReduce.readAll(inputs.get(attempt(0))))
        .hasMessageContaining(attempt(0))
        .hasMessageContaining("is lost");
    assertThat(reduce.levitation.broken()).containsExactly(attempt(0));
  }

  @Test
  void aFullDiskOfTheReducesNodeIsNoFaultOfAMap() throws Exception {
    reduceWith(PLENTY, MergeMode.LEVITATED);
    maps(1, RECORDS);
    headersOf(1);
    node.killEngine();
    node.forgetEngine();
    reduce.diskFull = true;
    reduce.follow();
    Map<String, SegmentInput> inputs = reduce.openAll();
    assertThatThrownBy(() -> TestReduce.readAll(inputs.get(attempt(0))))
        .hasMessageContaining("own node")
        .hasMessageContaining("no space");
    assertThat(reduce.levitation.broken()).as("maps to run again").isEmpty();
  }

  /** Nobody compares what the engine reads of it, and its checksum is encrypted, too. */
  @Test
  void encryptedSegmentsOfAnotherEngineComeWhole() throws Exception {
    encrypted(
        () -> {
          reduceWith(PLENTY, MergeMode.LEVITATED);
          MapOutput output = node.write(attempt(0), RECORDS, 0);
          reduce.succeeded(output.attempt(), node);
          reduce.await(() -> reduce.arrived.size() == 1);
          assertThat(reduce.levitated).isEmpty();
          assertThat(reduce.records(output.attempt())).isEqualTo(reduce.expected(output));
          return null;
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"LEVITATED", "VIRTUAL", "AUTO"})
  void aFileThatWasDamagedBeforeItWasServedIsLeftToStock(MergeMode mode) throws Exception {
    reduceWith(mode == MergeMode.AUTO ? 4 : PLENTY, mode);
    if (mode == MergeMode.AUTO) {
      reduce.takeAllUnits();
    }
    MapOutput output = node.write(attempt(0), RECORDS, 0);
    harm(output);
    reduce.succeeded(output.attempt(), node);
    reduce.await(() -> reduce.stock.size() == 1);
    assertThat(reduce.levitated).isEmpty();
    assertThat(reduce.arrived).isEmpty();
  }

  /** The engine that had its checksums is gone, and the disk has changed a byte. */
  @Test
  void aFileThatWasDamagedBeforeItsNextEngineServesItIsNotMerged() throws Exception {
    reduceWith(PLENTY, MergeMode.LEVITATED);
    maps(1, RECORDS);
    headersOf(1);
    byte[] right = reduce.expected(written.get(0));
    node.killEngine();
    harm(written.get(0));
    node.startEngine();
    reduce.follow();
    SegmentInput input = reduce.openAll().get(attempt(0));
    byte[] read = new byte[right.length];
    AtomicInteger count = new AtomicInteger();
    assertThatThrownBy(
            () -> {
              while (true) {
                count.addAndGet(input.read(read, count.get(), BLOCK));
              }
            })
        .hasMessageContaining("checksum");
    assertThat(Arrays.copyOf(read, count.get())).isEqualTo(Arrays.copyOf(right, count.get()));
    assertThat(reduce.levitation.broken()).containsExactly(attempt(0));
  }

  private static void harm(MapOutput output) throws Exception {
    Path file = Path.of(output.file());
    var time = Files.getLastModifiedTime(file);
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      long at = output.index().start(TestReduce.PARTITION) + 3 * BLOCK;
      open.seek(at);
      int was = open.read();
      open.seek(at);
      open.write(was ^ 1);
    }
    Files.setLastModifiedTime(file, time);
  }

  @Test
  void anotherFileOfTheSameNameIsNeverMixedIn() throws Exception {
    reduceWith(PLENTY, MergeMode.LEVITATED);
    maps(1, RECORDS);
    headersOf(1);
    node.sendBuffer.forget(TestNode.JOB);
    Thread.sleep(20);
    node.write(attempt(0), RECORDS, 99);
    reduce.follow();
    Map<String, SegmentInput> inputs = reduce.openAll();
    assertThatThrownBy(() -> TestReduce.readAll(inputs.get(attempt(0))))
        .hasMessageContaining("is lost");
  }

  @Test
  void aReduceThatEndsInTheMiddleLeavesNothingBehind() throws Exception {
    reduceWith(PLENTY, MergeMode.LEVITATED);
    maps(4, RECORDS);
    headersOf(4);
    reduce.follow();
    Map<String, SegmentInput> inputs = reduce.openAll();
    byte[] some = new byte[3 * BLOCK];
    assertThat(inputs.get(attempt(0)).read(some, 0, some.length)).isPositive();
  }
}
