// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.io.BlockSums;
import org.mammoth.engine.io.FileSums;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.MapMemory;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.server.SegmentUnavailableException;

class OutputSegmentTest {

  private static final int BLOCK = BlockSums.BLOCK_BYTES;
  private static final int LENGTH = 40 * BLOCK;

  @TempDir Path dir;

  private final byte[] content = new byte[LENGTH];
  private final List<String> opened = new ArrayList<>();
  private Path file;

  @BeforeEach
  void write() throws IOException {
    new Random(1).nextBytes(content);
    file = Files.write(dir.resolve("file.out"), content);
  }

  private MapOutput output() {
    PartitionIndex index = new PartitionIndex(2);
    index.set(0, 0, 10, 10);
    index.set(1, 10, LENGTH - 10, LENGTH - 10);
    return new MapOutput("job", "m", file.toString(), index, null, FileSums.of(content));
  }

  private OutputSegment segment(MapOutput output) throws IOException {
    return new OutputSegment(
        output,
        1,
        (path, from, length) -> {
          opened.add(from / BLOCK + "+" + length / (double) BLOCK);
          return new ByteArrayInputStream(content, (int) from, (int) length);
        },
        "disk");
  }

  @Test
  void aRangeOpensItsOwnBlocksAndNotTheRestOfTheSegment() throws Exception {
    try (OutputSegment segment = segment(output())) {
      segment.readsTo(5 * BLOCK + 100);
      ByteBuffer into = ByteBuffer.allocate(100);
      segment.read(5 * BLOCK, into);
      assertThat(into.array())
          .isEqualTo(Arrays.copyOfRange(content, 5 * BLOCK + 10, 5 * BLOCK + 110));
    }
    assertThat(opened).containsExactly("5+1.0");
  }

  /**
   * A file of another engine or of an ordinary container, of which only its own checksum is known.
   */
  private MapOutput found() {
    PartitionIndex index = new PartitionIndex(2);
    index.set(0, 0, 10, 10);
    index.set(1, 10, LENGTH - 10, LENGTH - 10);
    return new MapOutput("job", "m", file.toString(), index, null, null);
  }

  private void endWithAChecksum() {
    CRC32 sum = new CRC32();
    int end = LENGTH - Integer.BYTES;
    sum.update(content, 10, end - 10);
    ByteBuffer.wrap(content).putInt(end, (int) sum.getValue());
  }

  @Test
  void aFoundFileIsReadOnceBeforeARangeOfItIsServed() throws Exception {
    endWithAChecksum();
    MapOutput output = found();
    try (OutputSegment segment = segment(output);
        OutputSegment again = segment(output)) {
      assertThat(segment.verify()).isTrue();
      assertThat(segment.flags()).isZero();
      assertThat(again.verify()).isTrue();
    }
    assertThat(opened).as("of its blocks").hasSize(1);
  }

  @Test
  void aFoundFileThatIsDamagedIsMarked() throws Exception {
    endWithAChecksum();
    content[LENGTH / 2] ^= 4;
    MapOutput output = found();
    for (int time = 0; time < 2; time++) {
      try (OutputSegment segment = segment(output)) {
        assertThat(segment.verify()).isFalse();
        assertThat(segment.flags()).isEqualTo(SegmentInfo.UNVERIFIED);
      }
    }
  }

  /** Memory is given back at any time; then its bytes come from the file, and no sum tells. */
  @Test
  void aFileWithoutSumsIsReadOnceThoughItLiesInMemory() throws Exception {
    endWithAChecksum();
    content[LENGTH / 2] ^= 4;
    SendFixture node = new SendFixture(4);
    MapMemory map = node.map("m");
    CacheFile memory = CacheFile.of(map.send(), List.of(map.send().poll()), SendFixture.UNIT);
    PartitionIndex index = new PartitionIndex(2);
    index.set(0, 0, 10, 10);
    index.set(1, 10, LENGTH - 10, LENGTH - 10);
    MapOutput output = new MapOutput("job", "m", file.toString(), index, memory, null);
    map.close();
    try (OutputSegment segment = segment(output)) {
      assertThat(segment.verify()).isFalse();
      assertThat(segment.flags() & SegmentInfo.UNVERIFIED).isNotZero();
    }
    output.close();
    assertThat(node.usedUnits()).isZero();
  }

  @Test
  void whatIsComparedBlockByBlockIsNotReadBefore() throws Exception {
    try (OutputSegment segment = segment(output())) {
      assertThat(segment.verify()).isTrue();
      assertThat(segment.flags()).isZero();
    }
    assertThat(opened).isEmpty();
  }

  @Test
  void whoeverFindsTheSameFileAfterARestartIsToldTheSameIdentity() throws Exception {
    long before = OutputSegment.identity(output());
    assertThat(OutputSegment.identity(output())).isEqualTo(before).isNotZero();
  }

  @Test
  void aFileThatWasReplacedIsNotServedByTheIndexOfTheOldOne() throws Exception {
    MapOutput output = output();
    OutputSegment.identity(output);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
    assertThatThrownBy(() -> segment(output))
        .isInstanceOfSatisfying(
            SegmentUnavailableException.class,
            why -> assertThat(why.reason()).isEqualTo(Reason.CHANGED));
  }
}
