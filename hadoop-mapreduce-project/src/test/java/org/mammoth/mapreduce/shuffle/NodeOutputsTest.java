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
import org.mammoth.engine.send.MapOutput;
import org.mammoth.engine.send.OutputPart;
import org.mammoth.engine.send.Pages;
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
  private final SendBuffer sendBuffer = new SendBuffer(pages);
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

  @Test
  void withoutAnIndexItIsLeftToStock() throws Exception {
    Files.write(Path.of(lost.file() + ".index"), new byte[7]);
    assertThat(outputs().find(FIRST)).isNull();
    assertThatThrownBy(() -> source().find(TestNode.JOB, FIRST, TestReduce.PARTITION))
        .isInstanceOf(IOException.class);
    assertThat(outputs().find(SECOND).part().partLength()).as("the others go on").isPositive();
  }
}
