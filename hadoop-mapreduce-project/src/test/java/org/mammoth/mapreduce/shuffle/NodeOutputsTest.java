// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.io.BlockSums;
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.OutputPart;
import org.mammoth.engine.send.Pages;
import org.mammoth.engine.send.PartitionIndex;
import org.mammoth.engine.send.SendBuffer;
import org.mammoth.engine.send.TablesLostException;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.mapreduce.transfer.OutputSource;
import org.mammoth.mapreduce.transfer.ServedJobs;

/** What the engine knew of a map's output is lost: the output is found anew, each for itself. */
class NodeOutputsTest {

  private static final String FIRST = "attempt_7_0001_m_000000_0";
  private static final String SECOND = "attempt_7_0001_m_000001_0";
  private static final int RECORDS = 100;

  @TempDir private Path temp;
  private final JobConf job = new JobConf();
  private final Pages pages = new Pages(0, () -> temp.resolve("tables"), (owner, memory, n) -> {});
  private SendBuffer sendBuffer = new SendBuffer(pages);
  private TestNode node;
  private MapOutput lost;
  private OutputPart part;

  @BeforeEach
  void loseTheTables() throws Exception {
    node = new TestNode(temp.resolve("node"), job, true);
    lost = node.write(FIRST, RECORDS, 1);
    part = lost.part(TestReduce.PARTITION);
    sendBuffer.publish(lost);
    sendBuffer.publish(node.write(SECOND, RECORDS, 2));
    pages.close();
    assertThatThrownBy(() -> lost.part(TestReduce.PARTITION))
        .isInstanceOf(TablesLostException.class);
  }

  @AfterEach
  void end() throws Exception {
    node.close();
  }

  private NodeOutputs outputs() {
    return new NodeOutputs(
        sendBuffer, List.of(node.application.toString()), job, TestNode.JOB, TestReduce.PARTITION);
  }

  private OutputSource source() throws IOException {
    ServedJobs jobs = new ServedJobs();
    jobs.started(TestNode.JOB, TestNode.SECRET, List.of(node.application.toString()));
    return new OutputSource(sendBuffer, jobs, TestNode::open, null, job, List.of(node.localDir));
  }

  @Test
  void aReduceOfThisNodeTakesItByItsFilesIndex() {
    NodeOutputs.Found found = outputs().find(FIRST);
    assertThat(found.part()).isEqualTo(part);
    assertThat(found.output()).isNotSameAs(lost);
    assertThat(sendBuffer.find(TestNode.JOB, FIRST)).isSameAs(found.output());
  }

  @Test
  void anotherNodeGetsItByItsFilesIndex() throws Exception {
    try (Segment segment = source().find(TestNode.JOB, FIRST, TestReduce.PARTITION)) {
      assertThat(segment.rawLength()).isEqualTo(part.rawLength());
      assertThat(segment.partLength()).isEqualTo(part.partLength());
    }
    assertThat(sendBuffer.find(TestNode.JOB, FIRST)).isNotSameAs(lost);
  }

  /** Its index is there, so nobody else would notice. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itsBlocksAreNotTakenForVerifiedWhenTheirChecksumsAreLost(boolean isForThisNode)
      throws Exception {
    String attempt = "attempt_7_0001_m_000002_0";
    MapOutput onDisk = node.write(attempt, RECORDS, 3);
    PartitionIndex index = new PartitionIndex(TestNode.PARTITIONS);
    for (int i = 0; i < TestNode.PARTITIONS; i++) {
      OutputPart each = onDisk.part(i);
      // With a gap it has no short form, which alone leaves the memory.
      long gap = i == TestReduce.PARTITION ? 0 : 1;
      index.set(i, each.start() + gap, each.rawLength(), each.partLength());
    }
    int blocks = 1 + (int) (onDisk.fileBytes() / BlockSums.BLOCK_BYTES);
    BlockSums sums = BlockSums.of(new int[blocks], onDisk.fileBytes());
    MapOutput verified = new MapOutput(TestNode.JOB, attempt, onDisk.file(), index, null, sums);
    try (Pages ofSums = new Pages(0, () -> temp.resolve("sums"), (owner, memory, n) -> {})) {
      sendBuffer = new SendBuffer(ofSums);
      sendBuffer.publish(verified);
      sendBuffer.publish(node.write(SECOND, RECORDS, 2));
    }
    assertThat(verified.isVerified()).isTrue();
    assertThat(verified.part(TestReduce.PARTITION)).isEqualTo(onDisk.part(TestReduce.PARTITION));
    if (isForThisNode) {
      assertThat(outputs().find(attempt).output()).isNotSameAs(verified);
    } else {
      source().find(TestNode.JOB, attempt, TestReduce.PARTITION).close();
    }
    MapOutput anew = sendBuffer.find(TestNode.JOB, attempt);
    assertThat(anew).isNotSameAs(verified);
    assertThat(anew.isVerified()).isFalse();
  }

  @Test
  void withoutAnIndexItIsLeftToStock() throws Exception {
    Files.write(Path.of(lost.file() + ".index"), new byte[7]);
    assertThat(outputs().find(FIRST)).isNull();
    assertThatThrownBy(() -> source().find(TestNode.JOB, FIRST, TestReduce.PARTITION))
        .isInstanceOf(IOException.class);
    assertThat(outputs().find(SECOND).part().partLength()).as("the others go on").isPositive();
  }
}
