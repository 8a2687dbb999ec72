// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.MergeMode;
import org.mammoth.engine.config.ShuffleKeys;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.sort.keys.KeyOrder;
import org.mammoth.engine.sort.keys.KeyOrders;
import org.mammoth.engine.sort.merge.MergeQueue;
import org.mammoth.engine.sort.merge.RecordCursor;
import org.mammoth.engine.sort.merge.RecordSpace;
import org.mammoth.engine.sort.merge.SegmentCursor;
import org.mammoth.engine.sort.merge.SegmentInput;

/** Two nodes on loopback: the one's reduce merges by turns what stays at the other. */
class VirtualInputsTest {

  private static final int MAPS = 120;
  private static final int UNITS = 256;

  /** So few that their keys are in order. */
  private static final int RECORDS = 10;

  @TempDir private Path temp;
  private final JobConf job = new JobConf();
  private final KeyOrder order = KeyOrders.of(new BytesWritable.Comparator());
  private final List<MapOutput> written = new ArrayList<>();
  private TestNode node;
  private TestReduce reduce;

  @BeforeEach
  void begin() throws Exception {
    job.setLong(ShuffleKeys.VIRTUAL_BUFFER_BYTES.name(), 200_000);
    node = new TestNode(temp.resolve("node"), job, true);
    node.startEngine();
    reduce = new TestReduce(temp.resolve("reduce"), job, UNITS, 30_000, MergeMode.VIRTUAL, 1);
    for (int map = 0; map < MAPS; map++) {
      written.add(node.write(String.format("attempt_7_0001_m_%06d_0", map), RECORDS, map % 17));
    }
  }

  @AfterEach
  void end() throws Exception {
    reduce.close();
    node.close();
  }

  private List<LevitatedOutput> headers() throws Exception {
    for (MapOutput output : written) {
      reduce.succeeded(output.attempt(), node);
    }
    reduce.await(() -> reduce.levitated.size() == MAPS);
    reduce.follow();
    List<LevitatedOutput> outputs = new ArrayList<>(reduce.levitated.values());
    assertThat(outputs).allMatch(LevitatedOutput::staysAway);
    assertThat(reduce.usedUnits()).as("headers hold no memory").isZero();
    return outputs;
  }

  private List<String> expected(List<LevitatedOutput> outputs) throws IOException {
    List<RecordCursor> cursors = new ArrayList<>();
    for (LevitatedOutput output : outputs) {
      byte[] records =
          reduce.expected(
              written.stream()
                  .filter(each -> each.attempt().equals(output.name()))
                  .findFirst()
                  .orElseThrow());
      ByteArrayInputStream in = new ByteArrayInputStream(records);
      SegmentInput input =
          new SegmentInput() {
            @Override
            public int read(byte[] into, int offset, int length) {
              return in.read(into, offset, length);
            }

            @Override
            public void close() {}
          };
      cursors.add(new SegmentCursor(order, input, output.name(), 1 << 12, records.length));
    }
    return drained(new MergeQueue(order, cursors));
  }

  private static List<String> drained(MergeQueue queue) throws IOException {
    List<String> all = new ArrayList<>();
    RecordSpace space = new RecordSpace();
    while (queue.next()) {
      queue.top().complete(space);
      RecordCursor top = queue.top();
      all.add(
          new String(
              top.bytes(),
              top.keyAt(),
              top.end() - top.keyAt(),
              java.nio.charset.StandardCharsets.ISO_8859_1));
    }
    return all;
  }

  @Test
  void itIsWhatAPlainMergeGives() throws Exception {
    List<LevitatedOutput> outputs = headers();
    try (VirtualInputs inputs = VirtualInputs.of(job, outputs, reduce.units(), order)) {
      assertThat(drained(new MergeQueue(order, inputs.cursors()))).isEqualTo(expected(outputs));
      assertThat(inputs.refetchedBytes()).isZero();
    }
    assertThat(reduce.spilled.sum()).isZero();
    assertThat(reduce.levitation.broken()).isEmpty();
  }

  @Test
  void itGivesWayWhereThereIsTooLittleMemory() throws Exception {
    List<LevitatedOutput> outputs = headers();
    reduce.takeAllUnits();
    assertThat(VirtualInputs.of(job, outputs, reduce.units(), order)).isNull();
  }

  @Test
  void whoseBytesHaveChangedSinceTheirHeaderCameIsKnown() throws Exception {
    List<LevitatedOutput> outputs = headers();
    MapOutput bad = written.get(33);
    Path path = Path.of(bad.file());
    var time = Files.getLastModifiedTime(path);
    try (RandomAccessFile file = new RandomAccessFile(bad.file(), "rw")) {
      // the last byte of the last value: only the checksum at the segment's end tells
      file.seek(bad.index().start(1) + bad.index().partLength(1) - 7);
      file.write(1);
    }
    Files.setLastModifiedTime(path, time);
    try (VirtualInputs inputs = VirtualInputs.of(job, outputs, reduce.units(), order)) {
      assertThatThrownBy(() -> drained(new MergeQueue(order, inputs.cursors())))
          .isInstanceOf(IOException.class);
      inputs.failed();
    }
    assertThat(reduce.levitation.broken()).containsExactly(bad.attempt());
  }
}
