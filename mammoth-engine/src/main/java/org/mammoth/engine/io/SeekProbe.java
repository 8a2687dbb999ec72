// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.mammoth.engine.memory.PageAligned;

/**
 * Tells a spinning disk from one that has no arm to move, by what it does: what the kernel says of
 * it is wrong for most virtual and all loop devices. Reads past the page cache from the two ends of
 * a file of 64 MiB in turn. A hard disk needs a seek and half a turn for each, 4 to 12 ms; flash
 * answers in 0.05 to 1 ms. One thread.
 */
public final class SeekProbe {

  /** A disk that needs this long spins. */
  public static final long SPINS_FROM_MICROS = 2_500;

  private static final String FILE = ".mammoth-seek-probe";
  private static final int CHUNK = 4 << 20;
  private static final int CHUNKS = 16;
  private static final long LEAST_FREE = 1L << 30;
  private static final int READS = 16;

  private final LongSupplier clock;

  /**
   * @param clock nanoseconds, as {@link System#nanoTime}
   */
  public SeekProbe(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * Times a directory's disk; takes 0.1 to 1 s.
   *
   * @return the median of the reads in microseconds; empty where the page cache cannot be passed
   *     by, and on a disk that has less than 1 GiB free
   * @throws IOException if the file cannot be written or read
   */
  public OptionalLong micros(Path dir) throws IOException {
    Path file = dir.resolve(FILE);
    // What a NodeManager left that was killed meanwhile.
    Files.deleteIfExists(file);
    try {
      return measure(file);
    } catch (UnsupportedOperationException e) {
      return OptionalLong.empty();
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private OptionalLong measure(Path file) throws IOException {
    if (Files.getFileStore(file.getParent()).getUsableSpace() < LEAST_FREE) {
      return OptionalLong.empty();
    }
    Files.createFile(file);
    int block = Math.toIntExact(Files.getFileStore(file).getBlockSize());
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.WRITE, StandardOpenOption.READ, ExtendedOpenOption.DIRECT)) {
      ByteBuffer buffer = PageAligned.allocate(CHUNK);
      for (int i = 0; i < CHUNKS; i++) {
        buffer.position(0);
        channel.write(buffer, (long) i * CHUNK);
      }
      long[] micros = new long[READS];
      for (int i = 0; i < READS; i++) {
        long from = i % 2 == 0 ? i / 2 : CHUNKS - 1 - i / 2;
        buffer.position(0).limit(block);
        long begin = clock.getAsLong();
        channel.read(buffer, from * CHUNK);
        micros[i] = (clock.getAsLong() - begin) / 1_000;
      }
      Arrays.sort(micros);
      return OptionalLong.of(micros[READS / 2]);
    }
  }
}
