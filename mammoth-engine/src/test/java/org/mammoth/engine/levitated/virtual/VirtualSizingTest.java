// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.levitated.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** What a merge needs, and what it does not. */
class VirtualSizingTest {

  /** Little segments take little memory, and are merged by turns all the same. */
  @Property(tries = 500)
  void enoughIsEnough(
      @ForAll @IntRange(min = 1, max = 100_000) int segments,
      @ForAll @LongRange(min = 8, max = 100_000) long each,
      @ForAll @IntRange(min = 12, max = 22) int unitBits) {
    int unit = 1 << unitBits;
    long enough = VirtualSizing.enough(segments, segments * each, unit) / unit * unit;
    VirtualSizing sizes = VirtualSizing.of(segments, enough, unit, VirtualSizing.Requested.NONE);
    assertThat(sizes).isNotNull();
    assertThat(sizes.pagesBytes()).isGreaterThanOrEqualTo(2L * unit);
  }
}
