// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.output;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.mammoth.api.timing.Lasting;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the file that an engine writes its own output to from growing for as long as the engine
 * lives: whatever a task's native library prints goes there, too. When it is too long its end is
 * kept. One thread.
 */
public final class OutputLimit {

  private static final Logger LOG = LoggerFactory.getLogger(OutputLimit.class);

  private static final long MOST_BYTES = 64L << 20;
  private static final int KEPT_BYTES = 4 << 20;
  private static final long LOOK_MS = 5_000;

  private final Path file;
  private final long mostBytes;
  private final int keptBytes;

  /**
   * @param file that others only append to
   * @param keptBytes how much of its end stays, less than {@code mostBytes}
   */
  OutputLimit(Path file, long mostBytes, int keptBytes) {
    this.file = file;
    this.mostBytes = mostBytes;
    this.keptBytes = keptBytes;
  }

  /** Looks after the output of this process from now on. */
  public static void begin(ScheduledExecutorService timer) {
    OutputLimit limit = new OutputLimit(Path.of("/proc/self/fd/1"), MOST_BYTES, KEPT_BYTES);
    timer.scheduleWithFixedDelay(
        new Lasting("Looking at the engine's output", limit::look),
        LOOK_MS,
        LOOK_MS,
        TimeUnit.MILLISECONDS);
  }

  /** Shortens the file if it is too long; what is written at just that moment may be lost. */
  void look() {
    try {
      if (Files.isRegularFile(file) && Files.size(file) > mostBytes) {
        shorten();
      }
    } catch (IOException e) {
      LOG.debug("The engine's output is as long as it is", e);
    }
  }

  private void shorten() throws IOException {
    try (RandomAccessFile all = new RandomAccessFile(file.toFile(), "rw");
        OutputStream end = new FileOutputStream(file.toFile(), true)) {
      long length = all.length();
      byte[] kept = new byte[keptBytes];
      all.seek(length - keptBytes);
      all.readFully(kept);
      all.setLength(0);
      end.write(("... of " + length + " bytes, the last:\n").getBytes(StandardCharsets.UTF_8));
      end.write(kept);
    }
  }
}
