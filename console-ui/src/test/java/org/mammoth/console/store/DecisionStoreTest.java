// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.console.model.Decision;

/** After a step back to an older release its files are there still, with what that one wrote. */
class DecisionStoreTest {

  private static final long NOW = 1_700_000_000_000L;
  private static final String NODE = "n1:8042";

  @TempDir Path dir;

  private static Decision decision(long sequence) {
    return new Decision("e", sequence, NOW, "GRANT", "", "", "", "", 1, "", "", "", 0);
  }

  private void later(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    String shard = String.valueOf(Math.floorMod(NODE.hashCode(), 16));
    try (SegmentLog log = new SegmentLog(dir.resolve(shard), 5 * 60_000, AppendFile.Disk.REAL)) {
      log.append(NOW, bytes.toByteArray(), bytes.size());
    }
  }

  private static Decision decision(long sequence, long timeMs, long waitedMs) {
    return new Decision("e", sequence, timeMs, "GRANT", "", "", "", "", 1, "", "", "", waitedMs);
  }

  /** A name of the same shard, so that both nodes' records are in one file. */
  private static String neighbour() {
    for (int i = 2; ; i++) {
      String name = "n" + i + ":8042";
      if (Math.floorMod(name.hashCode(), 16) == Math.floorMod(NODE.hashCode(), 16)) {
        return name;
      }
    }
  }

  @Test
  void theNewestAreFoundAmongManyWithoutHoldingThem() throws Exception {
    long minute = 60_000;
    try (DecisionStore store = new DecisionStore(dir, 3_600_000, 1 << 30)) {
      long sequence = 0;
      for (int i = 0; i < 20; i++) {
        List<Decision> batch = new java.util.ArrayList<>();
        for (int n = 0; n < 5_000; n++) {
          batch.add(decision(++sequence, NOW + i * minute + n, 0));
        }
        store.append(NOW + (i + 1) * minute, NODE, batch);
        store.append(NOW + (i + 1) * minute, neighbour(), List.of(decision(i, NOW, 0)));
      }
      // The last but one has grown since, and is told of in a later file.
      store.append(
          NOW + 30 * minute, NODE, List.of(decision(99_999, NOW + 19 * minute + 4_998, 7)));
      List<Decision> newest = store.read(NODE, 0, NOW + 3_600_000, 3);
      assertThat(newest).extracting(Decision::sequence).containsExactly(100_000L, 99_999L, 99_998L);
      assertThat(newest).extracting(Decision::waitedMs).containsExactly(0L, 7L, 0L);
      assertThat(store.read(NODE, NOW, NOW + 9, 1000)).hasSize(10);
      assertThat(store.read(neighbour(), 0, NOW + 3_600_000, 100)).hasSize(20);
    }
  }

  @Test
  void whatIsOfAnotherNodeIsNotParsed() throws Exception {
    try (DecisionStore store = new DecisionStore(dir, 3_600_000, 1 << 30)) {
      store.append(NOW, neighbour(), List.of(decision(1)));
    }
    String shard = String.valueOf(Math.floorMod(NODE.hashCode(), 16));
    byte[][] record = new byte[1][];
    try (SegmentLog log = new SegmentLog(dir.resolve(shard), 5 * 60_000, AppendFile.Disk.REAL)) {
      log.visit(
          log.segments(0, NOW).get(0),
          (bytes, length) -> record[0] = java.util.Arrays.copyOf(bytes, length));
      // Whoever parses it finds it to be of the first node.
      byte[] own = neighbour().getBytes(StandardCharsets.UTF_8);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
        new ObjectMapper().writeValue(out, new DecisionStore.Batch(NODE, List.of(decision(2))));
      }
      bytes.write(record[0], record[0].length - own.length - 8, own.length + 8);
      log.append(NOW + 1, bytes.toByteArray(), bytes.size());
    }
    try (DecisionStore store = new DecisionStore(dir, 3_600_000, 1 << 30)) {
      assertThat(store.read(NODE, 0, NOW + 1000, 10)).isEmpty();
    }
  }

  @Test
  void whatALaterReleaseWroteIsReadAsFarAsItIsKnown() throws Exception {
    ObjectMapper json = new ObjectMapper();
    ObjectNode batch = json.valueToTree(new DecisionStore.Batch(NODE, List.of(decision(1))));
    batch.put("of a later release", 1);
    ((ObjectNode) batch.path("decisions").path(0)).put("reason", "later");
    later(batch.toString());
    later("{\"node\":[\"no\",\"text\"]}");
    try (DecisionStore store = new DecisionStore(dir, 3_600_000, 1 << 30)) {
      store.append(NOW, NODE, List.of(decision(2)));
      assertThat(store.read(NODE, NOW - 1, NOW + 1, 10))
          .extracting(Decision::sequence)
          .containsExactly(2L, 1L);
    }
  }
}
