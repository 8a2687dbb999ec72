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
