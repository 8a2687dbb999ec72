// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mammoth.engine.config.MergeMode;
import org.mammoth.engine.memory.CacheUnit;
import org.mammoth.engine.memory.UnitSource;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.RecordCursor;
import org.mammoth.engine.sort.merge.RecordSpace;
import org.mammoth.engine.sort.merge.SegmentCursor;
import org.mammoth.engine.sort.merge.SegmentInput;
import org.mammoth.mapreduce.transfer.EngineShuffle;

/** Nodes on loopback: engines merge what their maps wrote for the reduce of another one. */
class NodeStreamsTest {

  private static final int MAPS = 160;
  private static final int UNITS = 256;

  /** So few that their keys are in order. */
  private static final int RECORDS = 10;

  @TempDir private Path temp;
  private final JobConf job = new JobConf();
  private final int number = KeyOrders.numberOf(new BytesWritable.Comparator());
  private final KeyOrder order = KeyOrders.numbered(number);
  private final Map<String, MapOutput> written = new TreeMap<>();
  private final List<TestNode> nodes = new ArrayList<>();
  private final List<EngineShuffle> engines = new ArrayList<>();
  private TestReduce reduce;
  private NodeStreams streams;

  @BeforeEach
  void begin() throws Exception {
    job.setInt("mammoth.shuffle.levitated.block-bytes", 4096);
    for (int i = 0; i < 2; i++) {
      nodes.add(new TestNode(temp.resolve("node" + i), job, true));
      engines.add(nodes.get(i).startEngine());
    }
    reduce = new TestReduce(temp.resolve("reduce"), job, UNITS, 30_000, MergeMode.NODE, 1);
    for (int map = 0; map < MAPS; map++) {
      // Every third node's output is in memory; keys are equal in many of them.
      TestNode node = nodes.get(map % 2);
      String attempt = String.format("attempt_7_0001_m_%06d_0", map);
      MapOutput output =
          map % 3 == 0
              ? node.finish(attempt, RECORDS, map % 7)
              : node.write(attempt, map == 5 ? 0 : RECORDS, map % 7);
      written.put(attempt, output);
    }
  }

  @AfterEach
  void end() throws Exception {
    if (streams != null) {
      streams.close();
    }
    reduce.close();
    for (TestNode node : nodes) {
      node.close();
    }
  }

  private List<ReduceInput> headers() throws Exception {
    // Not in the order in which they are merged.
    List<String> attempts = new ArrayList<>(written.keySet());
    for (int i = attempts.size() - 1; i >= 0; i--) {
      int map = Integer.parseInt(attempts.get(i).substring(17, 23));
      reduce.succeeded(attempts.get(i), nodes.get(map % 2));
    }
    reduce.await(() -> reduce.levitated.size() == MAPS);
    reduce.follow();
    assertThat(reduce.usedUnits()).as("headers hold no memory").isZero();
    return new ArrayList<>(reduce.levitated.values());
  }

  private MergeQueue open(List<ReduceInput> inputs) throws IOException {
    streams = new NodeStreams(job, reduce.units(), order, number, () -> {});
    List<SegmentCursor> cursors = streams.open(inputs);
    reduce.levitation.begin();
    return new MergeQueue(order, cursors);
  }

  /** A plain merge of all outputs: those of the node first whose output came first, then by map. */
  private List<String> expected(List<ReduceInput> inputs) throws IOException {
    int first = Integer.parseInt(inputs.get(0).name().substring(17, 23)) % 2;
    List<RecordCursor> cursors = new ArrayList<>();
    for (int node : new int[] {first, 1 - first}) {
      for (Map.Entry<String, MapOutput> each : written.entrySet()) {
        if (Integer.parseInt(each.getKey().substring(17, 23)) % 2 == node) {
          byte[] records = reduce.expected(each.getValue());
          cursors.add(
              new SegmentCursor(order, bytes(records), each.getKey(), 1 << 12, records.length));
        }
      }
    }
    return drained(new MergeQueue(order, cursors), Integer.MAX_VALUE);
  }

  private static SegmentInput bytes(byte[] records) {
    ByteArrayInputStream in = new ByteArrayInputStream(records);
    return new SegmentInput() {
      @Override
      public int read(byte[] into, int offset, int length) {
        return in.read(into, offset, length);
      }

      @Override
      public void close() {}
    };
  }

  private static List<String> drained(MergeQueue queue, int most) throws IOException {
    List<String> all = new ArrayList<>();
    RecordSpace space = new RecordSpace();
    while (all.size() < most && queue.next()) {
      queue.top().complete(space);
      RecordCursor top = queue.top();
      all.add(
          new String(
              top.bytes(), top.keyAt(), top.end() - top.keyAt(), StandardCharsets.ISO_8859_1));
    }
    return all;
  }

  private void allIsRight(List<ReduceInput> inputs) throws IOException {
    List<String> expected = expected(inputs);
    assertThat(drained(open(inputs), Integer.MAX_VALUE)).isEqualTo(expected);
    assertThat(reduce.levitation.broken()).isEmpty();
  }

  private void sourcesAreFree() throws IOException {
    streams.close();
    for (EngineShuffle engine : engines) {
      await().until(() -> engine.merges().size() == 0);
      assertThat(engine.merges().heldUnits()).isZero();
    }
  }

  @Test
  void streamsAreWhatAPlainMergeGives() throws Exception {
    List<ReduceInput> inputs = headers();
    allIsRight(inputs);
    assertThat(streams.singleOutputs()).isZero();
    assertThat(streams.mergedRecords()).isEqualTo((MAPS - 1) * RECORDS);
    assertThat(streams.mergedBytes())
        .isEqualTo(inputs.stream().mapToLong(ReduceInput::rawLength).sum() - 2 * (MAPS - 2));
    assertThat(reduce.levitation.refetchedBytes()).isZero();
    assertThat(reduce.spilled.sum()).isZero();
    sourcesAreFree();
  }

  @Test
  void aReduceThatEndsEarlyFreesTheSources() throws Exception {
    drained(open(headers()), 5);
    assertThat(engines.get(0).merges().size()).isEqualTo(1);
    sourcesAreFree();
  }

  @Test
  void withoutMemoryHereBytesGoStraightToTheMerge() throws Exception {
    List<ReduceInput> inputs = headers();
    reduce.takeAllUnits();
    allIsRight(inputs);
    assertThat(streams.singleOutputs()).isZero();
  }

  @Test
  void aSourceWithoutMemoryLeavesItsOutputsSingle() throws Exception {
    // The next engine of the first node has no memory for merges.
    nodes.get(0).killEngine();
    nodes.get(0).mergeNothing();
    engines.set(0, nodes.get(0).startEngine());
    List<ReduceInput> inputs = headers();
    allIsRight(inputs);
    assertThat(streams.singleOutputs()).isEqualTo(MAPS / 2);
    sourcesAreFree();
  }

  @Test
  void anOutputThatIsDamagedLeavesItsNodesOutputsSingleAndIsKnown() throws Exception {
    MapOutput bad = written.get("attempt_7_0001_m_000007_0");
    List<ReduceInput> inputs = headers();
    try (RandomAccessFile file = new RandomAccessFile(bad.file(), "rw")) {
      long middle =
          bad.index().start(TestReduce.PARTITION)
              + bad.index().partLength(TestReduce.PARTITION) / 2;
      file.seek(middle);
      int before = file.read();
      file.seek(middle);
      file.write(before ^ 1);
    }
    // What is wrong with it is a matter of its bytes alone, not of its file's time.
    Files.setLastModifiedTime(Path.of(bad.file()), Files.getLastModifiedTime(Path.of(bad.file())));
    MergeQueue queue = open(inputs);
    assertThatThrownBy(() -> drained(queue, Integer.MAX_VALUE)).isInstanceOf(IOException.class);
    assertThat(streams.singleOutputs()).isEqualTo(MAPS / 2);
    assertThat(reduce.levitation.broken()).containsExactly(bad.attempt());
  }

  /** Notes how many outputs had been opened singly whenever a unit was asked for. */
  private final class Noted implements UnitSource {
    private final UnitSource units = reduce.units();
    private final List<Integer> singleBefore = new ArrayList<>();

    @Override
    public int unitBytes() {
      return units.unitBytes();
    }

    @Override
    public CacheUnit poll() {
      singleBefore.add(streams.singleOutputs());
      return units.poll();
    }

    @Override
    public CacheUnit take() throws InterruptedException {
      return units.take();
    }

    @Override
    public void give(CacheUnit unit) {
      units.give(unit);
    }

    @Override
    public void move(UnitSource to, long bytes) {
      units.move(to, bytes);
    }
  }

  @Test
  void streamsHaveTheirBlocksBeforeOutputsThatComeSingly() throws Exception {
    // The node whose outputs stand first merges nothing.
    nodes.get(1).killEngine();
    nodes.get(1).mergeNothing();
    engines.set(1, nodes.get(1).startEngine());
    job.setLong("mammoth.shuffle.levitated.buffer-bytes", 64 << 10);
    List<ReduceInput> inputs = headers();
    inputs.sort(Comparator.comparing(each -> -Integer.parseInt(each.name().substring(17, 23)) % 2));
    Noted units = new Noted();
    streams = new NodeStreams(job, units, order, number, () -> {});
    List<SegmentCursor> cursors = streams.open(inputs);
    assertThat(units.singleBefore).startsWith(0, 0);
    assertThat(streams.singleOutputs()).isEqualTo(MAPS / 2);
    reduce.levitation.begin();
    List<String> expected = expected(inputs);
    assertThat(drained(new MergeQueue(order, cursors), Integer.MAX_VALUE)).isEqualTo(expected);
  }

  /** In the middle of the streams the engine is gone, for good or for another one. */
  private void lostInTheMiddle(boolean comesAgain) throws Exception {
    List<ReduceInput> inputs = headers();
    List<String> expected = expected(inputs);
    MergeQueue queue = open(inputs);
    List<String> all = drained(queue, expected.size() / 3);
    nodes.get(1).killEngine();
    if (comesAgain) {
      engines.set(1, nodes.get(1).startEngine());
    } else {
      nodes.get(1).forgetEngine();
    }
    all.addAll(drained(queue, Integer.MAX_VALUE));
    assertThat(all).isEqualTo(expected);
    assertThat(streams.singleOutputs()).isEqualTo(MAPS / 2);
    assertThat(reduce.levitation.refetchedBytes()).isPositive();
    assertThat(reduce.spilled.sum() > 0).isEqualTo(!comesAgain);
    assertThat(reduce.levitation.broken()).isEmpty();
    long records = streams.mergedRecords();
    assertThat(records).isBetween((long) expected.size() / 2, (long) expected.size());
  }

  @Test
  void anEngineThatIsGoneLeavesItsFilesToBeMergedHere() throws Exception {
    lostInTheMiddle(false);
  }

  @Test
  void anEngineThatTookAnothersPlaceServesTheRestSingly() throws Exception {
    lostInTheMiddle(true);
  }

  @Test
  void whatIsLostWithItsNodeEndsTheAttempt() throws Exception {
    MergeQueue queue = open(headers());
    drained(queue, 20);
    nodes.get(1).killEngine();
    nodes.get(1).forgetEngine();
    MapOutput gone = written.get("attempt_7_0001_m_000007_0");
    Files.delete(Path.of(gone.file()));
    assertThatThrownBy(() -> drained(queue, Integer.MAX_VALUE)).isInstanceOf(IOException.class);
    assertThat(reduce.levitation.broken()).containsExactly(gone.attempt());
  }

  /** A stream goes on at its byte when its wire has done harm. */
  @ParameterizedTest
  @EnumSource(names = {"FLIP", "CUT"})
  void aFaultyWireCostsNoBytes(FaultyLink.Fault fault) throws Exception {
    // Headers take about half of it.
    try (FaultyLink link = new FaultyLink(engines.get(1).port(), fault, 16_000)) {
      nodes.get(1).beFoundAt(link.port());
      List<ReduceInput> inputs = headers();
      assertThat(link.done()).isFalse();
      allIsRight(inputs);
      assertThat(link.done()).isTrue();
      assertThat(streams.singleOutputs()).isZero();
      assertThat(reduce.levitation.refetchedBytes()).isZero();
      sourcesAreFree();
    }
  }
}
