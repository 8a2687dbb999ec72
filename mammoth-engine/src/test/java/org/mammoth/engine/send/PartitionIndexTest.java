// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PartitionIndexTest {

  private static void assertSame(PartitionIndex is, PartitionIndex should) {
    assertThat(is.partitions()).isEqualTo(should.partitions());
    assertThat(is.fileBytes()).isEqualTo(should.fileBytes());
    for (int p = 0; p < should.partitions(); p++) {
      assertThat(is.start(p)).isEqualTo(should.start(p));
      assertThat(is.rawLength(p)).isEqualTo(should.rawLength(p));
      assertThat(is.partLength(p)).isEqualTo(should.partLength(p));
    }
  }

  /** With and without a codec, gaps and files beyond 4 GiB. */
  @Property(tries = 300)
  void theShortFormSaysTheSame(
      @ForAll long seed,
      @ForAll @IntRange(max = 60) int partitions,
      @ForAll boolean codec,
      @ForAll boolean gaps,
      @ForAll boolean large) {
    Random random = new Random(seed);
    PartitionIndex index = new PartitionIndex(partitions);
    long at = random.nextInt(3) == 0 ? random.nextLong() >>> 8 : 0;
    for (int p = 0; p < partitions; p++) {
      long part = random.nextInt(large ? Integer.MAX_VALUE : 10_000);
      index.set(p, at, codec ? random.nextInt(Integer.MAX_VALUE) : part - 4, part);
      at += part + (gaps ? random.nextInt(3) : 0);
    }
    assertSame(index.compact(), index);
    assertSame(index.compact().compact(), index);
  }

  @Test
  void theShortFormTakesFourBytesOrEightWithACodec() {
    PartitionIndex plain = new PartitionIndex(1000);
    PartitionIndex codec = new PartitionIndex(1000);
    for (int p = 0; p < 1000; p++) {
      plain.set(p, 100L * p, 96, 100);
      codec.set(p, 100L * p, 250 + p, 100);
    }
    assertThat(plain.heapBytes()).isEqualTo(24_000);
    assertThat(plain.compact().heapBytes()).isEqualTo(4_000);
    assertThat(codec.compact().heapBytes()).isEqualTo(8_000);
  }
}
