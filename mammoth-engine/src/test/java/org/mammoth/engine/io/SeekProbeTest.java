// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a disk's reads take, by a clock that the test drives. */
class SeekProbeTest {

  @TempDir private Path folder;

  /** A clock that goes on by so much between any two looks at it. */
  private static SeekProbe probe(long micros) {
    AtomicLong now = new AtomicLong();
    return new SeekProbe(() -> now.getAndAdd(TimeUnit.MICROSECONDS.toNanos(micros)));
  }

  @Test
  void theMedianOfTheReadsIsReported() throws Exception {
    OptionalLong slow = probe(8_000).micros(folder);
    Assumptions.assumeTrue(slow.isPresent(), "no direct I/O in the temporary folder");
    assertThat(slow).hasValue(8_000);
    assertThat(slow.getAsLong()).isGreaterThan(SeekProbe.SPINS_FROM_MICROS);
    assertThat(probe(300).micros(folder)).hasValue(300);
  }

  @Test
  void nothingIsLeftBehind() throws Exception {
    probe(1).micros(folder);
    try (var files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void aMissingFolderIsAnError() {
    assertThatThrownBy(() -> probe(1).micros(folder.resolve("none")))
        .isInstanceOf(IOException.class);
  }
}
