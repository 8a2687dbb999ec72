// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are written past the page cache hold the same bytes, whatever they come in. */
class FileTargetTest {

  private static final int BLOCK = 4096;

  @TempDir private Path folder;

  @Test
  void anySequenceOfBuffersIsWritten() throws Exception {
    for (long seed = 1; seed <= 60; seed++) {
      Random random = new Random(seed);
      Path path = folder.resolve("f" + seed);
      FileTarget target = new FileTarget(path);
      target.writeThrough();
      target.open();
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      int pieces = random.nextInt(6);
      for (int i = 0; i < pieces; i++) {
        ByteBuffer buffer = piece(random);
        byte[] bytes = new byte[buffer.remaining()];
        random.nextBytes(bytes);
        buffer.duplicate().put(bytes);
        target.write(buffer);
        assertThat(buffer.hasRemaining()).isFalse();
        expected.write(bytes);
      }
      if (random.nextBoolean()) {
        target.force();
      }
      target.close();
      assertThat(Files.readAllBytes(path)).as("seed %d", seed).isEqualTo(expected.toByteArray());
    }
  }

  /** Whole blocks on a boundary mostly, as cache units are; also what no direct write takes. */
  private static ByteBuffer piece(Random random) {
    int blocks = random.nextInt(20);
    switch (random.nextInt(5)) {
      case 0:
        return ByteBuffer.allocate(random.nextInt(50_000));
      case 1:
        return ByteBuffer.allocateDirect(100_000).alignedSlice(BLOCK).slice(1, blocks * BLOCK);
      case 2:
        return ByteBuffer.allocateDirect(100_000)
            .alignedSlice(BLOCK)
            .slice(0, random.nextInt(90_000));
      default:
        return ByteBuffer.allocateDirect(100_000).alignedSlice(BLOCK).slice(0, blocks * BLOCK);
    }
  }

  @Test
  void anAbandonedFileIsRemoved() throws Exception {
    Path path = folder.resolve("f");
    FileTarget target = new FileTarget(path);
    target.writeThrough();
    target.open();
    target.write(ByteBuffer.allocateDirect(3 * BLOCK).alignedSlice(BLOCK).slice(0, BLOCK));
    target.abort();
    assertThat(path).doesNotExist();
  }
}
