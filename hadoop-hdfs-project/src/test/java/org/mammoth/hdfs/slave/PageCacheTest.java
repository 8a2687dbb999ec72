// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real file: a part never written nor read is not in the kernel's page cache. */
class PageCacheTest {

  private static final int WINDOWS = 40;
  private static final long LENGTH = (long) WINDOWS * PageCache.WINDOW + 17;

  @TempDir Path folder;

  @Test
  void whatWasWrittenIsHeldAndWhatNobodyTouchedIsNot() throws Exception {
    try (FileChannel file = file()) {
      assertThat(PageCache.holds(file, LENGTH)).as("nothing").isFalse();
      for (int window = 0; window < WINDOWS - 2; window++) {
        write(file, window);
      }
      assertThat(PageCache.holds(file, LENGTH)).as("all but the end").isFalse();
      write(file, WINDOWS - 2);
      write(file, WINDOWS);
      assertThat(PageCache.holds(file, LENGTH)).as("all but one window of 41").isTrue();
      write(file, WINDOWS - 1);
      assertThat(PageCache.holds(file, LENGTH)).as("all").isTrue();
    }
  }

  @Test
  void aSmallFileIsHeldAsAWholeOnly() throws Exception {
    try (FileChannel file = file()) {
      write(file, 0);
      assertThat(PageCache.holds(file, PageCache.WINDOW)).isTrue();
      assertThat(PageCache.holds(file, PageCache.WINDOW + 1)).isFalse();
    }
  }

  private FileChannel file() throws IOException {
    FileChannel file =
        FileChannel.open(
            folder.resolve("blk_1"),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    file.write(ByteBuffer.wrap(new byte[] {1}), LENGTH - 1 + (1 << 20));
    return file.truncate(LENGTH);
  }

  private static void write(FileChannel file, int window) throws IOException {
    long from = (long) window * PageCache.WINDOW;
    int bytes = (int) Math.min(PageCache.WINDOW, LENGTH - from);
    file.write(ByteBuffer.allocate(bytes), from);
  }
}
