// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What anybody can have written, however much they send. */
class AuditLogTest {

  @TempDir Path dir;

  private long nowMs = 1_700_000_000_000L;

  private final Clock clock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return Instant.ofEpochMilli(nowMs);
        }
      };

  private static AuditLog.Entry entry(String what) {
    return new AuditLog.Entry("mallory", "10.0.0.1", "/nodes/x/actions/drain", what);
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(dir.resolve("audit.log"));
  }

  @Test
  void manyRefusedRequestsTakeLittleRoomAndAreCounted() throws IOException {
    try (AuditLog audit = new AuditLog(dir.resolve("audit.log"), clock)) {
      for (int i = 0; i < 1_000; i++) {
        audit.refused(entry("A".repeat(60_000)), 403);
      }
      assertThat(lines()).hasSize(AuditLog.MOST_REFUSED);
      assertThat(lines().get(0)).hasSizeLessThan(1000).contains("A... (60000 letters)");
      audit.before(entry("an order"));
      audit.after(entry("an order"), 200);
      assertThat(lines()).hasSize(AuditLog.MOST_REFUSED + 2);
      assertThat(lines().get(AuditLog.MOST_REFUSED)).contains("\"refusedBefore\":900");
      assertThat(lines().get(AuditLog.MOST_REFUSED + 1)).doesNotContain("refusedBefore");
      nowMs += 25_000;
      for (int i = 0; i < 5; i++) {
        audit.refused(entry("again"), 403);
      }
      assertThat(lines()).hasSize(AuditLog.MOST_REFUSED + 4);
    }
  }
}
