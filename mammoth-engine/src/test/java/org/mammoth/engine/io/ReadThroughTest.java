// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.config.BufferType;
import org.mammoth.engine.config.IoKeys;

/** Real files of a disk that is taken for a spinning one: any range, by direct I/O or not. */
@Timeout(60)
class ReadThroughTest {

  private static final int UNIT = 32 << 10;

  @TempDir private Path folder;

  private IoScheduler scheduler() {
    Configuration conf = new Configuration(false);
    conf.setInt(IoKeys.READ_BUFFER_KB.name(), 8);
    return IoScheduler.builder(IoSettings.of(conf, UNIT), List.of(folder))
        .spinning(dir -> true)
        .threads(
            work -> {
              Thread thread = new Thread(work, "disk");
              thread.setDaemon(true);
              return thread;
            })
        .build();
  }

  @Test
  void anyRangeIsReadFromAnyKindOfBuffer() throws Exception {
    try (IoScheduler io = scheduler()) {
      for (long seed = 1; seed <= 150; seed++) {
        Random random = new Random(seed);
        byte[] bytes = new byte[random.nextInt(20 * UNIT)];
        random.nextBytes(bytes);
        Path file = Files.write(folder.resolve("f" + seed), bytes);
        int from = random.nextInt(bytes.length + 1);
        int length = random.nextInt(bytes.length - from + 1);
        BufferType type = BufferType.values()[random.nextInt(3)];
        LentUnits units = new LentUnits(type, UNIT, 1 + random.nextInt(12));
        byte[] back = new byte[length];
        try (ReadStream stream =
            io.openRead(
                new FileSource(file),
                from,
                length,
                IoClass.SORT,
                "x",
                1 + random.nextInt(9),
                random.nextInt(5) == 0 ? null : units,
                random.nextInt(3) == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(2 * UNIT))) {
          int done = 0;
          int count;
          while ((count = stream.read(back, done, Math.min(1 + length - done, length - done)))
              > 0) {
            done += count;
          }
          assertThat(done).as("seed %d", seed).isEqualTo(length);
        }
        assertThat(back)
            .as("seed %d", seed)
            .isEqualTo(Arrays.copyOfRange(bytes, from, from + length));
        assertThat(units.lent()).isZero();
      }
    }
  }

  @Test
  void aFileThatEndsTooEarlyIsAnError() throws Exception {
    Path file = Files.write(folder.resolve("short"), new byte[3 * UNIT + 17]);
    LentUnits units = new LentUnits(BufferType.DIRECT, UNIT, 8);
    try (IoScheduler io = scheduler();
        ReadStream stream =
            io.openRead(new FileSource(file), 5, 4 * UNIT, IoClass.SORT, "x", 4, units)) {
      assertThatThrownBy(() -> stream.read(new byte[1], 0, 1))
          .hasMessageContaining("the file ends at " + (3 * UNIT + 17))
          .hasMessageContaining("wanted up to " + (4 * UNIT + 5));
    }
  }
}
