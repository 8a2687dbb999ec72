// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.send.MapOutput;

/** Two nodes on loopback: what one's maps made reaches the other's reduce, whatever happens. */
class RemoteOutputsTest {

  private static final String FIRST = "attempt_7_0001_m_000000_0";
  private static final String SECOND = "attempt_7_0001_m_000001_0";
  private static final String SECOND_AGAIN = "attempt_7_0001_m_000001_1";
  private static final String THIRD = "attempt_7_0001_m_000002_0";
  private static final int RECORDS = 2_000;
  private static final int PLENTY = 256;
  private static final int HARDLY_ANY = 4;
  private static final int PATIENT_MS = 30_000;
  private static final int IMPATIENT_MS = 1_000;

  @TempDir private Path temp;
  private final JobConf job = new JobConf();
  private TestNode node;
  private TestReduce reduce;

  @BeforeEach
  void begin() throws Exception {
    node = new TestNode(temp.resolve("node"), job, true);
  }

  private void reduceWith(int units) throws Exception {
    reduce = new TestReduce(temp.resolve("reduce"), job, units, PATIENT_MS);
  }

  @AfterEach
  void end() throws Exception {
    if (reduce != null) {
      reduce.close();
    }
    node.close();
  }

  private void arrives(MapOutput output) throws Exception {
    reduce.await(() -> reduce.arrived.containsKey(output.attempt()));
    byte[] expected = reduce.expected(output);
    assertThat(expected).hasSizeGreaterThan(10_000);
    assertThat(reduce.records(output.attempt())).isEqualTo(expected);
    assertThat(reduce.stock).isEmpty();
  }

  /**
   * By the first output the reduce has found the node and subscribed; it comes as an answer, or is
   * pushed before that is sent.
   */
  private void subscribe() throws Exception {
    MapOutput first = node.finish(FIRST, RECORDS, 1);
    reduce.succeeded(FIRST, node);
    reduce.await(() -> reduce.arrived.containsKey(FIRST));
    reduce.records(first.attempt());
  }

  @Test
  void pullsFromMemory() throws Exception {
    job.setBoolean("mammoth.shuffle.push.enabled", false);
    reduceWith(PLENTY);
    node.startEngine();
    MapOutput output = node.finish(FIRST, RECORDS, 1);
    reduce.succeeded(FIRST, node);
    arrives(output);
    assertThat(reduce.arrived.get(FIRST).pushed()).isFalse();
    assertThat(output.heldBytes()).as("the source keeps it for other reduces").isPositive();
  }

  @Test
  void pullsWhatAnEarlierEngineWrote() throws Exception {
    reduceWith(PLENTY);
    node.startEngine();
    MapOutput output = node.write(FIRST, RECORDS, 1);
    reduce.succeeded(FIRST, node);
    arrives(output);
  }

  @Test
  void pullsCompressedSegmentsAsTheyAre() throws Exception {
    job.setCompressMapOutput(true);
    reduceWith(PLENTY);
    node.startEngine();
    MapOutput output = node.write(FIRST, RECORDS, 1);
    assertThat(output.index().partLength(TestReduce.PARTITION))
        .isLessThan(output.index().rawLength(TestReduce.PARTITION) / 2);
    reduce.succeeded(FIRST, node);
    arrives(output);
  }

  @Test
  void packsSmallSegments() throws Exception {
    reduceWith(PLENTY);
    node.startEngine();
    subscribe();
    int before = reduce.usedUnits();
    List<MapOutput> few = new ArrayList<>();
    for (int map = 1; map <= 20; map++) {
      String attempt = String.format("attempt_7_0001_m_%06d_0", map);
      few.add(map % 2 == 0 ? node.write(attempt, 3, map) : node.finish(attempt, 3, map));
      reduce.succeeded(attempt, node);
    }
    reduce.await(() -> reduce.arrived.size() == 21);
    assertThat(reduce.usedUnits()).isEqualTo(before + 1);
    for (MapOutput output : few) {
      assertThat(reduce.records(output.attempt())).isEqualTo(reduce.expected(output));
    }
  }

  @Test
  void writesSmallSegmentsToFilesWithoutMemory() throws Exception {
    reduceWith(HARDLY_ANY);
    node.startEngine();
    reduce.takeAllUnits();
    MapOutput output = node.write(FIRST, 3, 1);
    reduce.succeeded(FIRST, node);
    reduce.await(() -> reduce.arrived.containsKey(FIRST));
    assertThat(reduce.arrived.get(FIRST).isOnDisk()).isTrue();
    assertThat(reduce.records(FIRST)).isEqualTo(reduce.expected(output));
  }

  @Test
  void whatWasReceivedIsSpilledOnDemandAndReadFromItsFile() throws Exception {
    reduceWith(PLENTY);
    node.startEngine();
    subscribe();
    MapOutput output = node.finish(SECOND, RECORDS, 2);
    reduce.await(() -> reduce.stateOf(SECOND) == Arrival.State.COMPLETE);
    reduce.succeeded(SECOND, node);
    reduce.await(() -> reduce.arrived.containsKey(SECOND));
    Arrival arrival = reduce.arrived.get(SECOND);
    assertThat(arrival.pushed()).isTrue();
    int before = reduce.usedUnits();
    long bytes = arrival.spillableBytes();
    assertThat(bytes).isGreaterThanOrEqualTo(output.index().partLength(TestReduce.PARTITION));
    arrival.spill();
    assertThat(before - reduce.usedUnits()).isEqualTo((int) (bytes / TestReduce.UNIT));
    assertThat(arrival.isOnDisk()).isTrue();
    assertThat(arrival.spillableBytes()).isZero();
    arrives(output);
  }

  @Test
  void pullsEncryptedSegmentsAsTheyAre() throws Exception {
    job.setBoolean(MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA, true);
    Credentials key = new Credentials();
    TokenCache.setEncryptedSpillKey(new byte[16], key);
    UserGroupInformation owner = UserGroupInformation.createRemoteUser("ann");
    owner.addCredentials(key);
    owner.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              reduceWith(PLENTY);
              node.startEngine();
              MapOutput output = node.write(FIRST, RECORDS, 1);
              reduce.succeeded(FIRST, node);
              arrives(output);
              return null;
            });
  }

  @Test
  void pullsToAFileWithoutMemory() throws Exception {
    reduceWith(HARDLY_ANY);
    node.startEngine();
    MapOutput output = node.finish(FIRST, RECORDS, 1);
    reduce.succeeded(FIRST, node);
    reduce.await(() -> reduce.arrived.containsKey(FIRST));
    assertThat(reduce.arrived.get(FIRST).isOnDisk()).isTrue();
    arrives(output);
  }

  @Test
  void isPushedWhatFinishesLater() throws Exception {
    reduceWith(PLENTY);
    node.startEngine();
    subscribe();
    MapOutput output = node.finish(SECOND, RECORDS, 2);
    reduce.await(() -> reduce.stateOf(SECOND) == Arrival.State.COMPLETE);
    assertThat(reduce.arrived).as("tentative").doesNotContainKey(SECOND);
    reduce.succeeded(SECOND, node);
    arrives(output);
    assertThat(reduce.arrived.get(SECOND).pushed()).isTrue();
  }

  @Test
  void pullsWhatItHadToRefuse() throws Exception {
    reduceWith(HARDLY_ANY);
    node.startEngine();
    subscribe();
    MapOutput output = node.finish(SECOND, RECORDS, 2);
    reduce.idle();
    assertThat(reduce.stateOf(SECOND)).isIn(null, Arrival.State.IDLE);
    reduce.succeeded(SECOND, node);
    arrives(output);
    assertThat(reduce.arrived.get(SECOND).pushed()).isFalse();
  }

  @Test
  void pullsWhatLeavesTheSourcesMemory() throws Exception {
    reduceWith(PLENTY);
    node.startEngine();
    MapOutput output = node.finish(FIRST, RECORDS, 1);
    output.drop(Long.MAX_VALUE);
    reduce.succeeded(FIRST, node);
    arrives(output);
  }

  @Test
  void dropsWhatAnAttemptPushedThatDidNotWin() throws Exception {
    reduceWith(PLENTY);
    node.startEngine();
    subscribe();
    int before = reduce.usedUnits();
    node.finish(SECOND, RECORDS, 2);
    reduce.await(() -> reduce.stateOf(SECOND) == Arrival.State.COMPLETE);
    MapOutput winner = node.write(SECOND_AGAIN, RECORDS, 3);
    reduce.succeeded(SECOND_AGAIN, node);
    assertThat(reduce.stateOf(SECOND)).as("the loser").isNull();
    arrives(winner);
    assertThat(reduce.usedUnits()).isEqualTo(before);
    assertThat(reduce.arrived).doesNotContainKey(SECOND);
  }

  @Test
  void dropsWhatIsObsoleteAndTakesTheNextAttempt() throws Exception {
    reduceWith(PLENTY);
    node.startEngine();
    subscribe();
    node.finish(SECOND, RECORDS, 2);
    reduce.await(() -> reduce.stateOf(SECOND) == Arrival.State.COMPLETE);
    reduce.lost(SECOND);
    assertThat(reduce.stateOf(SECOND)).isNull();
    MapOutput next = node.finish(SECOND_AGAIN, RECORDS, 3);
    reduce.succeeded(SECOND_AGAIN, node);
    arrives(next);
    assertThat(reduce.arrived).doesNotContainKey(SECOND);
  }

  @Test
  void asksTheStockWayWhenTheEngineIsGone() throws Exception {
    reduceWith(PLENTY);
    node.startEngine();
    node.write(FIRST, RECORDS, 1);
    node.killEngine();
    reduce.succeeded(FIRST, node);
    reduce.await(() -> reduce.stock.contains(FIRST));
    assertThat(reduce.arrived).isEmpty();
  }

  @Test
  void asksTheStockWayWhenTheNodeHasNoEngine() throws Exception {
    reduceWith(PLENTY);
    node.write(FIRST, RECORDS, 1);
    reduce.succeeded(FIRST, node);
    reduce.await(() -> reduce.stock.contains(FIRST));
  }

  @Test
  void findsTheEngineThatFollows() throws Exception {
    reduceWith(PLENTY);
    node.startEngine();
    subscribe();
    node.killEngine();
    node.startEngine();
    MapOutput output = node.write(SECOND, RECORDS, 2);
    reduce.succeeded(SECOND, node);
    arrives(output);
  }

  @Test
  void asksTheStockWayOfAStockNode() throws Exception {
    reduceWith(PLENTY);
    try (TestNode other = new TestNode(temp.resolve("other"), job, false)) {
      other.write(FIRST, RECORDS, 1);
      reduce.succeeded(FIRST, other);
      reduce.await(() -> reduce.stock.contains(FIRST));
    }
  }

  @Test
  void asksTheStockWayWhenTheJobIsUnknownToTheEngine() throws Exception {
    reduceWith(PLENTY);
    node.startEngine();
    node.write(FIRST, RECORDS, 1);
    node.service.end(TestNode.APPLICATION);
    reduce.succeeded(FIRST, node);
    reduce.await(() -> reduce.stock.contains(FIRST));
  }

  @Test
  void fetchesAgainWhatWasDamagedOnTheWay() throws Exception {
    reduceWith(PLENTY);
    try (FaultyLink link =
        new FaultyLink(node.startEngine().port(), FaultyLink.Fault.FLIP, 20_000)) {
      node.beFoundAt(link.port());
      MapOutput output = node.finish(FIRST, RECORDS, 1);
      reduce.succeeded(FIRST, node);
      arrives(output);
      assertThat(link.done()).isTrue();
    }
  }

  @Test
  void goesOnAfterACutInAChunk() throws Exception {
    reduceWith(PLENTY);
    try (FaultyLink link =
        new FaultyLink(node.startEngine().port(), FaultyLink.Fault.CUT, 20_000)) {
      node.beFoundAt(link.port());
      MapOutput output = node.finish(FIRST, RECORDS, 1);
      reduce.succeeded(FIRST, node);
      arrives(output);
      assertThat(link.done()).isTrue();
    }
  }

  @Test
  void goesOnAfterACutWhileItWritesToAFile() throws Exception {
    reduceWith(HARDLY_ANY);
    try (FaultyLink link =
        new FaultyLink(node.startEngine().port(), FaultyLink.Fault.CUT, 20_000)) {
      node.beFoundAt(link.port());
      MapOutput output = node.finish(FIRST, RECORDS, 1);
      reduce.succeeded(FIRST, node);
      arrives(output);
      assertThat(reduce.arrived.get(FIRST).isOnDisk()).isTrue();
    }
  }

  @Test
  void aPushThatIsCutArrivesWhole() throws Exception {
    reduceWith(PLENTY);
    try (FaultyLink link =
        new FaultyLink(node.startEngine().port(), FaultyLink.Fault.CUT, 120_000)) {
      node.beFoundAt(link.port());
      subscribe();
      assertThat(link.done()).isFalse();
      MapOutput output = node.finish(SECOND, RECORDS, 2);
      reduce.await(link::done);
      reduce.succeeded(SECOND, node);
      arrives(output);
    }
  }

  @Test
  void waitsForNoNodeThatFallsSilentWhileItPushes() throws Exception {
    reduce = new TestReduce(temp.resolve("reduce"), job, PLENTY, IMPATIENT_MS);
    try (FaultyLink link =
        new FaultyLink(node.startEngine().port(), FaultyLink.Fault.SILENCE, 120_000)) {
      node.beFoundAt(link.port());
      subscribe();
      MapOutput output = node.finish(SECOND, RECORDS, 2);
      reduce.await(link::done);
      assertThat(reduce.stateOf(SECOND)).isEqualTo(Arrival.State.PUSHING);
      reduce.succeeded(SECOND, node);
      arrives(output);
      assertThat(reduce.arrived.get(SECOND).pushed()).isFalse();
    }
  }

  @Test
  void leavesANodeThatGreetsAndGivesNothingToStock() throws Exception {
    reduce = new TestReduce(temp.resolve("reduce"), job, PLENTY, IMPATIENT_MS);
    node.startEngine();
    node.hang();
    int outputs = 12;
    for (int map = 0; map < outputs; map++) {
      String attempt = String.format("attempt_7_0001_m_%06d_0", map);
      node.write(attempt, 10, map);
      reduce.succeeded(attempt, node);
    }
    long start = System.nanoTime();
    reduce.await(() -> reduce.stock.size() == outputs);
    // Each of the six pairs would have its tries otherwise.
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isLessThan(Duration.ofMillis(outputs * IMPATIENT_MS));
    String late = String.format("attempt_7_0001_m_%06d_0", outputs);
    reduce.succeeded(late, node);
    assertThat(reduce.stock).as("at once").contains(late);
    assertThat(reduce.arrived).isEmpty();
  }

  @Test
  void anEngineThatGetsToKnowTheJobIsAskedAndPushes() throws Exception {
    reduceWith(PLENTY);
    node.startEngineWithoutTasks();
    node.write(FIRST, RECORDS, 1);
    reduce.succeeded(FIRST, node);
    reduce.await(() -> reduce.stock.contains(FIRST));
    node.startTasks();
    node.write(SECOND, RECORDS, 2);
    reduce.succeeded(SECOND, node);
    reduce.await(() -> reduce.arrived.containsKey(SECOND));
    assertThat(reduce.arrived.get(SECOND).pushed()).isFalse();
    node.finish(THIRD, RECORDS, 3);
    reduce.await(() -> reduce.stateOf(THIRD) == Arrival.State.COMPLETE);
    reduce.succeeded(THIRD, node);
    reduce.await(() -> reduce.arrived.containsKey(THIRD));
    assertThat(reduce.arrived.get(THIRD).pushed()).isTrue();
    assertThat(reduce.stock).containsExactly(FIRST);
  }

  @Test
  void handsAnEventThatIsToldAgainToStockAgain() throws Exception {
    reduceWith(PLENTY);
    node.write(FIRST, RECORDS, 1);
    reduce.succeeded(FIRST, node);
    reduce.await(() -> reduce.stock.contains(FIRST));
    reduce.succeeded(FIRST, node);
    assertThat(reduce.stock).containsExactly(FIRST, FIRST);
  }

  @Test
  void pullsTheRestOfAPushWhenTheEngineThatFollowsIsFound() throws Exception {
    reduce = new TestReduce(temp.resolve("reduce"), job, PLENTY, IMPATIENT_MS);
    try (FaultyLink link =
        new FaultyLink(node.startEngine().port(), FaultyLink.Fault.SILENCE, 120_000)) {
      node.beFoundAt(link.port());
      subscribe();
      MapOutput output = node.finish(SECOND, RECORDS, 2);
      reduce.await(link::done);
      node.killEngine();
      node.startEngine();
      reduce.succeeded(SECOND, node);
      arrives(output);
    }
  }

  @Test
  void leavesWhatTheSourcesDiskHasDamagedToStock() throws Exception {
    reduceWith(PLENTY);
    node.startEngine();
    MapOutput output = node.write(FIRST, RECORDS, 1);
    try (RandomAccessFile file = new RandomAccessFile(output.file(), "rw")) {
      long at = output.index().start(TestReduce.PARTITION) + 5_000;
      file.seek(at);
      int was = file.read();
      file.seek(at);
      file.write(was ^ 1);
    }
    reduce.succeeded(FIRST, node);
    reduce.await(() -> reduce.stock.contains(FIRST));
    assertThat(reduce.arrived).isEmpty();
    assertThat(reduce.usedUnits()).isZero();
  }
}
