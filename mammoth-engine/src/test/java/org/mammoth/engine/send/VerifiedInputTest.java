// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.io.BlockSums;
import org.mammoth.engine.io.FileSums;

/** Of a file with damaged bytes nothing is read but what was written. */
class VerifiedInputTest {

  private static final int BLOCK = BlockSums.BLOCK_BYTES;

  private static InputStream open(byte[] onDisk, BlockSums sums, long from, long length)
      throws IOException {
    return VerifiedInput.open(
        (path, first, count) ->
            new ByteArrayInputStream(onDisk, (int) first, (int) Math.min(count, onDisk.length)),
        "file.out",
        sums,
        from,
        length);
  }

  @Property
  void anyRangeIsReadWithAnySteps(
      @ForAll @IntRange(min = 1, max = 5 * BLOCK) int length,
      @ForAll @IntRange(max = 3) int damages,
      @ForAll long seed)
      throws IOException {
    Random random = new Random(seed);
    byte[] written = new byte[length];
    random.nextBytes(written);
    byte[] onDisk = written.clone();
    boolean[] damaged = new boolean[length / BLOCK + 1];
    for (int i = 0; i < damages; i++) {
      int at = random.nextInt(length);
      onDisk[at] ^= (byte) (1 << random.nextInt(8));
      damaged[at / BLOCK] = !Arrays.equals(block(written, at), block(onDisk, at));
    }
    int from = random.nextInt(length);
    int count = random.nextInt(length - from + 1);
    int read = 0;
    boolean found = false;
    try (InputStream in = open(onDisk, FileSums.of(written), from, count)) {
      byte[] buffer = new byte[3 * BLOCK];
      while (read < count) {
        int now = in.read(buffer, 0, 1 + random.nextInt(buffer.length));
        assertThat(now).isPositive();
        assertThat(Arrays.copyOf(buffer, now))
            .isEqualTo(Arrays.copyOfRange(written, from + read, from + read + now));
        read += now;
      }
      assertThat(in.read()).isEqualTo(-1);
    } catch (IOException e) {
      assertThat(e)
          .hasMessageContaining("do not fit the checksum")
          .hasMessageContaining("file.out");
      found = true;
    }
    boolean expected = false;
    int begin = count == 0 ? from : from - from % BLOCK;
    for (int at = begin; at < from + count; at += BLOCK) {
      expected |= damaged[at / BLOCK];
    }
    assertThat(found).isEqualTo(expected);
  }

  private static byte[] block(byte[] file, int at) {
    int start = at - at % BLOCK;
    return Arrays.copyOfRange(file, start, Math.min(file.length, start + BLOCK));
  }

  @Test
  void aFileThatBecameShorterIsAnError() throws IOException {
    byte[] written = new byte[3 * BLOCK];
    try (InputStream in =
        open(Arrays.copyOf(written, BLOCK + 1), FileSums.of(written), 0, written.length)) {
      assertThat(in.readNBytes(BLOCK)).hasSize(BLOCK);
      assertThatThrownBy(in::read).hasMessageContaining("ends at byte " + (BLOCK + 1));
    }
    assertThatThrownBy(() -> open(written, FileSums.of(written), 1, written.length))
        .hasMessageContaining("byte " + (written.length + 1) + " is wanted");
  }

  @Test
  void withoutSumsItIsTheFile() throws IOException {
    byte[] file = {1, 2, 3};
    try (InputStream in = open(file, null, 1, 2)) {
      assertThat(in.readAllBytes()).containsExactly(2, 3);
    }
  }
}
